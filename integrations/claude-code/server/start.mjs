// The plugin's MCP server: prepares contextd at the first start, then runs `contextd mcp serve`.
import program from './program.cjs'

const problem = await program.prepareProgram()
// An older build still works if the new one failed.
if (problem !== undefined) process.stderr.write(`${problem}\n`)
process.argv.splice(2, 0, 'mcp', 'serve')
await program.runProgram('contextd.js')
