import type { Client } from '../core/call.ts'

const maxLength = 100

/** The program at the other end, as it calls itself. */
export function clientOf(
  info: { readonly name: string; readonly version: string } | undefined,
  door: Client['door'],
): Client {
  return { name: plain(info?.name) ?? 'unknown', version: plain(info?.version) ?? '', door }
}

/** Too long a text is dropped, not cut: half a secret is one that the scrubber does not know. */
function plain(text: string | undefined): string | undefined {
  return text === undefined || text.length > maxLength
    ? undefined
    : text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
}
