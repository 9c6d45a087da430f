import { inspect } from 'node:util'

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

/** What our own output is painted with; `terminalText` lets exactly these through. */
export const terminalStyles = ['bold', 'dim', 'red', 'green', 'yellow'] as const
export type TerminalStyle = (typeof terminalStyles)[number]

const styleCodes = new Set(terminalStyles.flatMap((style) => inspect.colors[style]?.map(String) ?? []))

/**
 * The last step of everything that is written to a terminal: our own styles, a line that is written again from its start
 * and clearing its rest at the end stay; all else that does not show is shown as its code.
 */
export function terminalText(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex
    /(^\r|\r\n|\u001B\[K$)|\u001B\[(\d\d?)m|[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (found, own?: string, style?: string) => {
      if (own !== undefined) return own
      if (style === undefined) return unitsOf(found)
      return styleCodes.has(style) ? found : unitsOf(found.slice(0, 1)) + found.slice(1)
    },
  )
}

function unitsOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const code = character.charCodeAt(at).toString(16)
    return `\\u${code.padStart(4, '0')}`
  }).join('')
}
