/** How audit records name tokens and the arguments that contain them. */

import { tokenStart } from '@contextd/scrub/internal/secret-token'

/** Per call; more would add no information. */
export const maxNotes = 50

/** A longer name may contain a secret, and once cut it would escape every later scan. */
const maxNameLength = 32

/** Names come from callers and models. Undefined if it must not be shown. */
export function argumentToName(argument: string | undefined): string | undefined {
  if (argument === undefined || argument.length > maxNameLength) return undefined
  return argument.includes(tokenStart) ? undefined : argument
}

export function nameArgument(argument: string | undefined): string {
  return argument === undefined ? 'a text' : (argumentToName(argument) ?? '(unknown)')
}
