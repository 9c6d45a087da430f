import type { Client } from '../../core/call.ts'

const maxLength = 100

interface Info {
  readonly name: string
  readonly version: string
}

/** Until 2025-11-25 a client says once who it is, and calls many times. */
const known = new WeakMap<Info, Client>()

/** The program at the other end, as it calls itself. */
export function clientOf(info: Info | undefined, door: Client['door']): Client {
  const before = info && known.get(info)
  if (before?.door === door) return before
  const client = { name: plain(info?.name) ?? 'unknown', version: plain(info?.version) ?? '', door }
  if (info !== undefined) known.set(info, client)
  return client
}

/** Too long a text is dropped, not cut: half a secret is one that the scrubber does not know. */
function plain(text: string | undefined): string | undefined {
  return text === undefined || text.length > maxLength
    ? undefined
    : text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
}
