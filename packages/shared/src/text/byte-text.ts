/**
 * UTF-8 as a string with one character per byte. A long text with a single non-ASCII character takes milliseconds to
 * decode and encode, and most of a request passes unchanged, so only the parts that are needed are decoded.
 */

const beyondAscii = /[\u0080-\u00ff]/

export function byteTextOf(bytes: Buffer): string {
  return bytes.toString('latin1')
}

export function bytesOfByteText(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** The decoded text. Bytes that are not UTF-8 become U+FFFD. */
export function decodeByteText(text: string): string {
  return beyondAscii.test(text) ? bytesOfByteText(text).toString() : text
}

export function encodeByteText(text: string): string {
  return byteTextOf(Buffer.from(text))
}
