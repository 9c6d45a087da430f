/** A partially typed bash line. Nothing in it is ever expanded: `$(…)` is plain text. */

export interface TypedLine {
  /** Without their quotes; the last is the one being typed. */
  readonly words: readonly string[]
  /** The open quote. */
  readonly quote: '' | '"' | "'"
}

export function readTypedLine(line: string): TypedLine {
  const words: string[] = []
  let word: string | undefined
  let quote: TypedLine['quote'] = ''
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    const next = line[at + 1] ?? ''
    if (quote === "'") {
      if (character === "'") quote = ''
      else word += character
    } else if (character === '\\' && (quote === '' || '"\\$`'.includes(next))) {
      word = `${word ?? ''}${next}`
      at += 1
    } else if (quote === '"') {
      if (character === '"') quote = ''
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = `${word ?? ''}${character}`
  }
  return { words: [...words, word ?? ''], quote }
}

/** Characters that mean nothing to a shell. */
const harmless = /^[\w./:@%+,=-]*$/

/** Quoted so that the shell reads it as this text; undefined if that is impossible. */
export function quotedFor(text: string, quote: TypedLine['quote']): string | undefined {
  if (harmless.test(text)) return text
  if (quote !== '') return /["'\\$`!]/.test(text) ? undefined : text
  return text.replace(/[^\w./:@%+,=\u0080-\u{10FFFF}-]/gu, '\\$&')
}
