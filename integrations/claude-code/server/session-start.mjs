// At the start of a session, beside the server, which nobody hears when it cannot start: says why, and what to do.
import { fileURLToPath } from 'node:url'

import { providePluginStorage } from './dist/plugin-storage.js'

// The client gives its servers half a minute.
const tooLongMs = 25_000
const began = Date.now()
const problem = await providePluginStorage(fileURLToPath(new URL('.', import.meta.url)))
const message =
  problem ??
  (Date.now() - began > tooLongMs
    ? 'contextd took long to install a package. If its server is not connected, reconnect it with /mcp.'
    : undefined)
if (message !== undefined) process.stdout.write(`${JSON.stringify({ systemMessage: message })}\n`)
