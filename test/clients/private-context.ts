import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { pluginTool } from './claude-code.ts'
import type { Place } from './client-run.ts'
import type { ToolUse } from './scripted-model.ts'

/** What only the scanner may know. It looks like a secret, and is not scrubbed for the agent it is meant for. */
export const privateName = makeSample('ghp_{alnum:36}', seededRandom(6)).text
export const privateLine = 'The customer behind project Heron is Marlow and Vance'
/** Opens the catalogue, together with being the scanner. */
export const scannerKey = 'ctx_key-of-the-scanner-in-this-test'
/** Opens the handbook, for whoever has it. */
export const handbookKey = 'ctx_key-of-the-handbook-in-this-test'
export const handbookLine = 'The handbook says: be kind'

/** A catalogue that belongs to one agent, and a handbook that belongs to a key. */
export function writeContexts(place: Place, agent = 'contextd:scanner'): void {
  const folder = 'home/.config/contextd'
  place.write(`${folder}/catalogue.md`, `# Catalogue\n\n- \`${privateName}\`\n- ${privateLine}\n`)
  place.write(`${folder}/handbook.md`, `# Handbook\n\n${handbookLine}\n`)
  place.write(
    `${folder}/context-map.toml`,
    `[keys]
"${scannerKey}" = { path = "catalogue.md", agents = ["${agent}"] }
"${handbookKey}" = "handbook.md"
`,
  )
}

export const loadContext = (id: string, key?: string, nameOf = pluginTool): ToolUse => ({
  id,
  tool: nameOf('load_context'),
  input: key === undefined ? {} : { key },
})
