// A hook at session start. It tells the user why the server cannot start, because the server has no channel to do so.
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
