/** Where a token may begin and end: next to anything that could not belong to it, in whatever it is carried. */

const alphanumeric = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
  alphanumeric[char.charCodeAt(0)] = 1
}

function isAlphanumeric(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && alphanumeric[code] === 1
}

/** True where the text before `at` does not run into it: not a letter or digit, unless that ends an escape. */
export function beginsFree(text: string, at: number): boolean {
  return at === 0 || !isAlphanumeric(text, at - 1) || endsEscape(text, at)
}

/** `\n`, `\x0a`, `\u000a`, `%3D`, and the end of a colour. */
function endsEscape(text: string, at: number): boolean {
  return /(?:\\[nrtbfve0]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|%[0-9a-f]{2}|\[[0-9;]{0,8}m|\\[0-3][0-7]{2})$/i.test(
    text.slice(Math.max(0, at - 10), at),
  )
}

/** True where the text does not run on at `at`. */
export function endsFree(text: string, at: number): boolean {
  return !isAlphanumeric(text, at)
}
