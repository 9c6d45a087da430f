/** Bytes that only a holder of the key can read, and that open only where they were put. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Sealed {
  readonly nonce: Uint8Array
  /** The encrypted bytes, and the tag that vouches for them. */
  readonly body: Uint8Array
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What a body has beyond the bytes that were sealed. */
export const sealBytes = tagBytes

/** `place` says whose it is and where it lies: moved elsewhere it does not open. */
export function seal(key: Uint8Array, bytes: Uint8Array, place: readonly string[]): Sealed {
  const nonce = randomBytes(nonceBytes)
  const encipher = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  encipher.setAAD(placeBytes(place))
  return { nonce, body: Buffer.concat([encipher.update(bytes), encipher.final(), encipher.getAuthTag()]) }
}

/** Throws where anything about it was changed, or the key is another. */
export function unseal(key: Uint8Array, { nonce, body }: Sealed, place: readonly string[]): Buffer {
  const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(placeBytes(place))
  decipher.setAuthTag(body.subarray(-tagBytes))
  return Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()])
}

function placeBytes(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place))
}
