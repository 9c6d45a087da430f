import { userInfo } from 'node:os'

/** The operating-system user contextd runs as. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as an id without an account.
    return String(process.getuid?.() ?? 'unknown')
  }
}
