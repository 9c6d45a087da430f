import type { Client } from '../../core/call.ts'

const maxLength = 100

interface Info {
  readonly name: string
  readonly version: string
}

/** Until 2025-11-25, a client identifies itself once and then makes many calls. */
const known = new WeakMap<Info, Client>()

/** The client program, as it identifies itself. */
export function clientOf(info: Info | undefined, door: Client['door']): Client {
  const before = info && known.get(info)
  if (before?.door === door) return before
  const client = { name: plain(info?.name) ?? 'unknown', version: plain(info?.version) ?? '', door }
  if (info !== undefined) known.set(info, client)
  return client
}

/** Text that is too long is dropped instead of truncated: the scrubber does not recognize half a secret. */
function plain(text: string | undefined): string | undefined {
  return text === undefined || text.length > maxLength
    ? undefined
    : text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
}
