/** Tells the model that a tool received a token as text. Without it, the model reports success. */

import { listTokens } from '../core/secret-forms.ts'

export function keptNote(tokens: readonly string[]): string {
  return (
    `[contextd] This tool received ${listTokens(tokens)} as literal text, not the real value, ` +
    'because no rule reveals it to this tool. If that text was written somewhere, undo it. If the tool needs the value, ' +
    'ask the user for a reveal rule.'
  )
}
