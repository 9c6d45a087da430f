import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Runtime } from '../../compose.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { isLoopbackHost } from '../limits/http-guard.ts'

/**
 * HTTP always wants a token, so the first start on loopback makes one for the main agent and keeps it where only this
 * user can read it. Later starts find it again. Answers the file, or undefined where there is none to use: it was
 * revoked, the rules know no such agent, or other machines can reach us and whoever may call is for a person to say.
 */
export function ensureFirstToken(runtime: Runtime): string | undefined {
  const file = join(runtime.paths.keys, 'http-token')
  const rules = runtime.rules.current()
  const kept = readToken(file)
  if (kept !== undefined) {
    const agent = runtime.tokens.verify(kept)?.agent
    // Revoked, or its agent left the rules: a person meant that, so no new one takes its place.
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
