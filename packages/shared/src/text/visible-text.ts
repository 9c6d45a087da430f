import { inspect } from 'node:util'

/**
 * Makes untrusted text safe for a terminal: characters that could move the cursor, be invisible or change the text
 * direction are escaped.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** The same for multi-line text, with JSON escapes, so that JSON keeps its meaning. */
export function escapeHidden(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, unitsOf)
}

/** The styles of our own output; `terminalText` lets exactly these through. */
export const terminalStyles = ['bold', 'dim', 'red', 'green', 'yellow'] as const
export type TerminalStyle = (typeof terminalStyles)[number]

const styleCodes = new Set(terminalStyles.flatMap((style) => inspect.colors[style]?.map(String) ?? []))

/**
 * The last step before output to a terminal: keeps our own styles, a leading carriage return and a trailing clear-line
 * sequence; escapes every other invisible character.
 */
export function terminalText(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex
    /(^\r|\r\n|\u001B\[K$)|\u001B\[(\d\d?)m|[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (match, ownSequence?: string, style?: string) => {
      if (ownSequence !== undefined) return ownSequence
      if (style === undefined) return unitsOf(match)
      return styleCodes.has(style) ? match : unitsOf(match.slice(0, 1)) + match.slice(1)
    },
  )
}

function unitsOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const code = character.charCodeAt(at).toString(16)
    return `\\u${code.padStart(4, '0')}`
  }).join('')
}
