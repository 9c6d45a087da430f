// The MCP server of the plugin: installs what could not be shipped, where this Node needs it, then `contextd mcp serve`.
import { fileURLToPath } from 'node:url'

import { providePluginStorage } from './dist/plugin-storage.js'

const problem = await providePluginStorage(fileURLToPath(new URL('.', import.meta.url)))
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(74)
}
process.argv.splice(2, 0, 'mcp', 'serve')
await import('./bin/contextd.js')
