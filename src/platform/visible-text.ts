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
