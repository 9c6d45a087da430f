// Starts the MCP server given as an argument, and asks for the data of every answer (`_meta["dev.contextd/structured"]`).
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const server = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'inherit', 'inherit'] })
createInterface({ input: process.stdin })
  .on('line', (line) => server.stdin.write(`${JSON.stringify(asking(JSON.parse(line)))}\n`))
  .on('close', () => server.stdin.end())
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => server.kill(name))
server.on('exit', (code) => process.exit(code ?? 1))

function asking(message) {
  const { method, params } = message
  if (method !== 'tools/call') return message
  return { ...message, params: { ...params, _meta: { ...params._meta, 'dev.contextd/structured': true } } }
}
