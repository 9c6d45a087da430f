/** Where a token may start and end: next to characters that cannot belong to it, also in escaped text. */

const alphanumeric = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
  alphanumeric[char.charCodeAt(0)] = 1
}

function isAlphanumeric(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && alphanumeric[code] === 1
}

/** Whether a token may start at `at`: not after a letter or digit, unless that ends an escape. */
export function startsAtBoundary(text: string, at: number): boolean {
  return at === 0 || !isAlphanumeric(text, at - 1) || endsEscape(text, at)
}

/** `\n`, `\x0a`, `\u000a`, `%3D`, and the end of a terminal colour code. */
function endsEscape(text: string, at: number): boolean {
  return /(?:\\[nrtbfve0]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|%[0-9a-f]{2}|\[[0-9;]{0,8}m|\\[0-3][0-7]{2})$/i.test(
    text.slice(Math.max(0, at - 10), at),
  )
}

/** Whether a token may end at `at`. */
export function endsAtBoundary(text: string, at: number): boolean {
  return !isAlphanumeric(text, at)
}
