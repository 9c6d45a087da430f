/**
 * Text from elsewhere, fit for a terminal: whatever could move the cursor, hide itself or turn the reading
 * direction is shown as its code, so that what a person reads is what there is.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** The same for text with lines in it, in the form that JSON has for it: to a program it stays the same JSON. */
export function escapeHidden(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, unitsOf)
}

/**
 * Whatever is written to a terminal, as the last step: colours, the start of a line and clearing its rest are our own;
 * all else that does not show is shown as its code.
 */
export function terminalText(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex
    /(\u001B\[[\d;]{0,16}[mK]|^\r|\r\n)|[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (found, own?: string) => own ?? unitsOf(found),
  )
}

function unitsOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const code = character.charCodeAt(at).toString(16)
    return `\\u${code.padStart(4, '0')}`
  }).join('')
}
