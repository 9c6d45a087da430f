/** Tells the model that a tool got the characters of a token: else it takes them for the secret, and reports success. */

/** More would not make the note clearer. */
const maxNamed = 10

export function keptNote(tokens: readonly string[]): string {
  const named = tokens.slice(0, maxNamed).join(', ')
  const rest = tokens.length > maxNamed ? ` and ${tokens.length - maxNamed} more` : ''
  return (
    `[contextd] The input of this tool call contains ${named}${rest}. The tool received those characters, not the secret, ` +
    'because no rule allows to reveal it here. Where that is wrong, such as in a file that was written, undo it and leave ' +
    "the secret's line as it is, or ask the user to allow it."
  )
}
