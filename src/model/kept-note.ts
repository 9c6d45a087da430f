/** Tells the model that a tool received a token as text: else it takes it for the secret, and reports success. */

/** More would not make the note clearer. */
const maxNamed = 10

export function keptNote(tokens: readonly string[]): string {
  const rest = tokens.length > maxNamed ? ` and ${tokens.length - maxNamed} more` : ''
  return (
    `[contextd] This tool received ${tokens.slice(0, maxNamed).join(', ')}${rest} as literal text, not the real value, ` +
    'because no rule reveals it to this tool. If that text was written somewhere, undo it. If the tool needs the value, ' +
    'ask the user for a reveal rule.'
  )
}
