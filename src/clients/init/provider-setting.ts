/** The address behind the model door, in our own configuration. */

import { removeKey, setKey } from '../../platform/config/edit-config.ts'
import { parseToml } from '../../platform/config/load-config.ts'

const key = 'model.anthropic'

export function withProvider(text: string, url: string, file: string): string {
  return setKey(text, key, url, file)
}

/** The address that was there before, unless somebody changed it since. */
export function takeBackProvider(now: string, before: string, after: string): string {
  const current = providerIn(now)
  if (current === undefined || current !== providerIn(after)) return now
  const old = providerIn(before)
  return old === undefined ? removeKey(now, key) : setKey(now, key, old)
}

function providerIn(text: string): string | undefined {
  const { model } = parseToml(text, 'config.toml') as { model?: { anthropic?: unknown } }
  return typeof model?.anthropic === 'string' ? model.anthropic : undefined
}
