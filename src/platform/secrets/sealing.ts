/** Authenticated encryption of bytes, bound to the place where they are stored. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Sealed {
  readonly nonce: Uint8Array
  /** The encrypted bytes and their authentication tag. */
  readonly body: Uint8Array
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Size overhead of sealing. */
export const sealBytes = tagBytes

/** `place` identifies owner and location: the bytes cannot be opened anywhere else. */
export function seal(key: Uint8Array, bytes: Uint8Array, place: readonly string[]): Sealed {
  const nonce = randomBytes(nonceBytes)
  const encipher = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  encipher.setAAD(placeBytes(place))
  return { nonce, body: Buffer.concat([encipher.update(bytes), encipher.final(), encipher.getAuthTag()]) }
}

/** Throws if anything was changed, or the key is wrong. */
export function unseal(key: Uint8Array, { nonce, body }: Sealed, place: readonly string[]): Buffer {
  const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(placeBytes(place))
  decipher.setAuthTag(body.subarray(-tagBytes))
  return Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()])
}

function placeBytes(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place))
}
