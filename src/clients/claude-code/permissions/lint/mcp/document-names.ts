import type { TextFile } from '../../../../permissions/client-files.ts'
import { oncePer } from '../../../../permissions/once.ts'
import { readClaudeFrontmatter } from '../../read/frontmatter.ts'
import type { ClaudeSetup } from '../../setup.ts'

/** A name of an MCP tool or server in a document. */
export interface DocumentName {
  readonly document: TextFile
  readonly name: string
  readonly start: number
}

/**
 * Read once, for all rules that look into documents. What stands in a frontmatter is not text: it gives tools to agents and
 * skills, also to those of folders below that are none from here, and has its own rules.
 */
export const documentNames = oncePer((setup: ClaudeSetup): readonly DocumentName[] => {
  const names: DocumentName[] = []
  for (const document of setup.documents()) {
    const found = [...document.text.matchAll(toolName)]
    const from = found.length === 0 ? 0 : (readClaudeFrontmatter(document.text)?.body ?? 0)
    for (const { 0: name, index } of found) if (index >= from) names.push({ document, name, start: index })
  }
  return names
})

/** Ends where a name can end: `mcp__a__b_` is a part of something else. */
const toolName = /(?<![\w-])mcp__[A-Za-z0-9][\w-]*(?:__\*)?(?<![_-])/g
