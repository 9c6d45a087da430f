import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** The longest state that is kept, in bytes of its text. */
export const maxStateBytes = 4 << 20

/** Text as it is stored: what agents and transcripts say shrinks to a fraction. */
export function pack(text: string): Uint8Array {
  return text === '' ? new Uint8Array() : deflateRawSync(text)
}

/** Throws where it was not packed here, or is longer than anything that was. */
export function unpack(bytes: Uint8Array): string {
  // Secrets are longer as ids than as tokens, so what was short enough may have grown.
  return bytes.length === 0 ? '' : inflateRawSync(bytes, { maxOutputLength: 4 * maxStateBytes }).toString()
}
