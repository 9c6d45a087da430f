import type { TextFile } from '../../../../permissions/client-files.ts'
import { oncePer } from '../../../../permissions/once.ts'
import type { ClaudeSetup } from '../../setup.ts'

/** A name of an MCP tool or server in a document. */
export interface DocumentName {
  readonly document: TextFile
  readonly name: string
  readonly start: number
}

/** Read once, for all rules that look into documents. What stands in an agent's frontmatter is not text but has its own rules. */
export const documentNames = oncePer((setup: ClaudeSetup): readonly DocumentName[] => {
  const bodies = new Map(setup.agents.map(({ file, body }) => [file, body]))
  const names: DocumentName[] = []
  for (const document of setup.documents()) {
    const from = bodies.get(document.file) ?? 0
    for (const { 0: name, index } of document.text.matchAll(toolName))
      if (index >= from) names.push({ document, name, start: index })
  }
  return names
})

/** Ends where a name can end: `mcp__a__b_` is a part of something else. */
const toolName = /(?<![\w-])mcp__[A-Za-z0-9][\w-]*(?:__\*)?(?<![_-])/g
