/** `scheme://user:password@host`: the password, or a token in place of the user. */

import { isPlaceholder } from '../assignments/value.ts'
import { looksRandom } from '../text/randomness.ts'
import type { SecretSpan } from '../text/span.ts'

const maxUserInfoLength = 1024
/** Documentation shows `abc:123@`; no real password is that short. */
const minPasswordLength = 5

/** The credentials after the `://` that ends at `end`. */
export function findUrlCredentials(text: string, end: number): SecretSpan | undefined {
  const at = endOfUserInfo(text, end)
  if (at === undefined) return undefined
  const userInfo = text.slice(end, at)
  const colon = userInfo.indexOf(':')
  if (colon === -1) {
    const isToken = userInfo.length >= 12 && looksRandom(userInfo)
    return isToken ? { rule: 'uri-with-username-and-secret', start: end, end: at } : undefined
  }
  const password = userInfo.slice(colon + 1)
  if (isExampleOrReference(password)) return undefined
  // `https://token:x-oauth-basic@host`: the user is the secret.
  if (/^x-oauth-basic$|^x?$/.test(password)) {
    return { rule: 'uri-with-username-and-secret', start: end, end: end + colon }
  }
  if (password.length < minPasswordLength) return undefined
  const start = looksRandom(userInfo.slice(0, colon)) && colon >= 20 ? end : end + colon + 1
  return { rule: 'uri-with-username-and-secret', start, end: at }
}

/** The last `@` before the path: a password may contain one as well. */
function endOfUserInfo(text: string, from: number): number | undefined {
  let lastAt: number | undefined
  const limit = Math.min(text.length, from + maxUserInfoLength)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 64) lastAt = i
    // A space, a quote, `<`, `>`, `\`, or the path.
    else if (
      code <= 32 ||
      code === 34 ||
      code === 39 ||
      code === 60 ||
      code === 62 ||
      code === 96 ||
      code === 92
    )
      break
    else if (code === 47 || code === 63) break
  }
  return lastAt
}

/** Variables and examples from documentation. */
function isExampleOrReference(password: string): boolean {
  return (
    /^(?:\$|\{|<|%[A-Za-z_]{2,}%|\[|\*+$|\.\.\.|:)/.test(password) ||
    (isPlaceholder(password) &&
      !/^(?:root|admin|secret|password|test|foo|bar|pass|passwd)$/i.test(password)) ||
    /^(?:pass|password|passwd|pwd|secret|token|pw|user)$/i.test(password)
  )
}
