import type { TextFile } from '../../../files/client-files.ts'
import { oncePer } from '@contextd/shared/once'
import { claudeBodyOf } from '../../read/frontmatter.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'

/** A name of an MCP tool or server in a document. */
export interface DocumentName {
  readonly document: TextFile
  readonly name: string
  readonly start: number
}

export interface DocumentNames {
  readonly names: readonly DocumentName[]
  /** The first document that was not searched, if there are too many. */
  readonly leftOut?: string
}

/**
 * Read once, for all rules that search documents. Frontmatter is skipped: it grants tools to agents and skills, even in
 * subfolders whose agents do not apply here, and has its own rules.
 */
export const documentNames = oncePer((setup: ClaudeSetup): DocumentNames => {
  const names: DocumentName[] = []
  for (const document of setup.documents()) {
    if (document.isLeftOut) return { names, leftOut: document.file }
    const matches = [...document.text.matchAll(toolName)]
    const bodyStart = matches.length === 0 ? 0 : claudeBodyOf(document.text)
    for (const { 0: name, index } of matches)
      if (index >= bodyStart) names.push({ document, name, start: index })
  }
  return { names }
})

/** Does not match `mcp__a__b_`, which is part of a longer text. */
const toolName = /(?<![\w-])mcp__[A-Za-z0-9][\w-]*(?:__\*)?(?<![_-])/g
