// A hook at the start of a session. It tells the user why the server, which has no channel of its own, cannot start.
import program from './program.cjs'

/** Claude Code gives its servers 30 seconds to start. */
const maxStartMs = 25_000
const startedAt = Date.now()
const problem = await program.prepareProgram()
const message =
  problem ??
  (Date.now() - startedAt > maxStartMs
    ? 'contextd has been built. If its server is not connected, reconnect it with /mcp.'
    : undefined)
if (message !== undefined) process.stdout.write(`${JSON.stringify({ systemMessage: message })}\n`)
