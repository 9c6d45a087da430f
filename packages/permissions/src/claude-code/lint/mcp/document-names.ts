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
  /** The first document that was not looked at, where there are too many. */
  readonly leftOut?: string
}

/**
 * Read once, for all rules that look into documents. What stands in a frontmatter is not text: it gives tools to agents and
 * skills, also to those of folders below that are none from here, and has its own rules.
 */
export const documentNames = oncePer((setup: ClaudeSetup): DocumentNames => {
  const names: DocumentName[] = []
  for (const document of setup.documents()) {
    if (document.isLeftOut) return { names, leftOut: document.file }
    const found = [...document.text.matchAll(toolName)]
    const from = found.length === 0 ? 0 : claudeBodyOf(document.text)
    for (const { 0: name, index } of found) if (index >= from) names.push({ document, name, start: index })
  }
  return { names }
})

/** Ends where a name can end: `mcp__a__b_` is a part of something else. */
const toolName = /(?<![\w-])mcp__[A-Za-z0-9][\w-]*(?:__\*)?(?<![_-])/g
