import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Runtime } from '../../compose.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { isLoopbackHost } from '../limits/http-guard.ts'

/**
 * HTTP always requires a token, so the first start on loopback creates one for the main agent, in a file that only
 * this user can read. Later starts reuse it. Returns the file; undefined if the token was revoked, the rules have no
 * such agent, or other machines can connect, in which case the user decides who may call.
 */
export function ensureFirstToken(runtime: Runtime): string | undefined {
  const file = join(runtime.paths.keys, 'http-token')
  const rules = runtime.rules.current()
  const kept = readToken(file)
  if (kept !== undefined) {
    const agent = runtime.tokens.verify(kept)?.agent
    // Revoked, or its agent was removed from the rules: both intentional, so no new token is created.
    return agent === undefined || rules.resolveAgent(agent) === undefined ? undefined : file
  }

  const first = ['main', 'default'].find((name) => rules.resolveAgent(name) !== undefined)
  if (first === undefined || !isLoopbackHost(runtime.config.http.host)) return undefined
  ensurePrivateFolder(runtime.paths.keys)
  const { token, secret } = runtime.tokens.create(first, 'made at first start')
  runtime.audit.event('token-created', { id: token.id }, { agent: first })
  writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  return file
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
