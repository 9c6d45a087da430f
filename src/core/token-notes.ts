/** How the audit names tokens and the arguments they are in. */

import { tokenStart } from './secret-token.ts'

/** Of one call. More would say nothing that these do not. */
export const maxNotes = 50

/** A longer name may be a secret, and a part of it would pass every later search for one. */
const maxNameLength = 32

/** Names come from callers and models. Undefined for one that is not shown. */
export function argumentToName(argument: string | undefined): string | undefined {
  if (argument === undefined || argument.length > maxNameLength) return undefined
  return argument.includes(tokenStart) ? undefined : argument
}

export function nameArgument(argument: string | undefined): string {
  return argument === undefined ? 'a text' : (argumentToName(argument) ?? '(unknown)')
}
