import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Runtime } from '../compose.ts'
import { ensurePrivateFolder } from '../platform/private-folder.ts'

/**
 * HTTP always wants a token, so the first start makes one for the main agent and keeps it where only this user can
 * read it. Later starts find it again. Answers the file, or undefined where the rules know no such agent.
 */
export function ensureFirstToken(runtime: Runtime): string | undefined {
  const file = join(runtime.paths.keys, 'http-token')
  try {
    if (runtime.tokens.verify(readFileSync(file, 'utf8').trim()) !== undefined) return file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const agent = ['main', 'default'].find((name) => runtime.rules.current().resolveAgent(name) !== undefined)
  if (agent === undefined) return undefined
  ensurePrivateFolder(runtime.paths.keys)
  const { secret } = runtime.tokens.create(agent, 'made at first start')
  writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  return file
}
