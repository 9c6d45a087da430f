/** Tells the model that a tool received a token as literal text; otherwise, the model would report success. */

import { listTokens } from '../core/tokens/secret-forms.ts'

export function keptNote(tokens: readonly string[]): string {
  return (
    `[contextd] ${listTokens(tokens)} in this call was not replaced by the secret: no rule reveals it to this tool, and ` +
    'the file that is written does not contain the value, or contains these characters as text. If the tool ran, it ' +
    'received those characters as literal text. If they were written where the secret belongs, undo it. If the tool needs ' +
    'the value, ask the user for a reveal rule.'
  )
}
