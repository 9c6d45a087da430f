import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Max stored state, in bytes of its text. */
export const maxStateBytes = 4 << 20

/** Compressed text for storage: what agents and transcripts contain compresses well. */
export function pack(text: string): Uint8Array {
  return text === '' ? new Uint8Array() : deflateRawSync(text)
}

/** Throws if the bytes were not packed here, or unpack to more than `pack` accepts. */
export function unpack(bytes: Uint8Array): string {
  // Ids of secrets are longer than their tokens, so an accepted text may have grown.
  return bytes.length === 0 ? '' : inflateRawSync(bytes, { maxOutputLength: 4 * maxStateBytes }).toString()
}
