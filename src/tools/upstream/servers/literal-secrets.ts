/** Finds plaintext credentials in an entry, which could be in the encrypted store instead. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { secretName } from './client-formats.ts'

export type LooksSecret = (key: string, value: string) => boolean

export interface LiteralSecret {
  readonly server: string
  /** `env.GITHUB_TOKEN`, `headers.Authorization`, `args[2]`. */
  readonly where: string
  /** Suggested name in the store. */
  readonly secret: string
}

export interface HiddenEntry {
  /** The entry with the values masked, safe to show. */
  readonly shown: JsonObject
  readonly secrets: readonly LiteralSecret[]
}

export function hideSecrets(server: string, entry: JsonObject, looksSecret: LooksSecret): HiddenEntry {
  const secrets: LiteralSecret[] = []
  const hide = (key: string, value: Json, where: string): Json => {
    if (typeof value !== 'string' || value.includes('${') || !looksSecret(key, value)) return value
    secrets.push({ server, where, secret: secretName(`${server}-${key.replace(/^-+/, '')}`) })
    return '(not shown)'
  }
  const shown = Object.entries(entry).map(([key, value]): [string, Json] => {
    if (key === 'args' && Array.isArray(value)) {
      return [key, value.map((item, index) => hide(flagOf(value, index), item, `args[${index}]`))]
    }
    if (isJsonObject(value)) {
      const inner = Object.entries(value).map(([name, item]): [string, Json] => [
        name,
        hide(name, item, `${key}.${name}`),
      ])
      return [key, Object.fromEntries(inner)]
    }
    return [key, key === 'url' ? hide(key, value, key) : value]
  })
  return { shown: Object.fromEntries(shown), secrets }
}

/** The option that an argument belongs to: in `--token=x` or `--token x`. */
function flagOf(args: readonly Json[], index: number): string {
  const [own, before] = [args[index], args[index - 1]]
  const flag = /^(-[^=]*)=/.exec(typeof own === 'string' ? own : '')?.[1]
  if (flag !== undefined) return flag
  return typeof before === 'string' && /^-[^=]*$/.test(before) ? before : 'argument'
}
