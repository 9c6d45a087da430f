/** One simple command of a line: its draft while it is read, and the result without keywords of the shell. Pure. */

export interface ShellCommand {
  /** As written, without redirections, comments and keywords. */
  readonly text: string
  /** The same with its redirections. */
  readonly whole: string
  /** Quotes and escapes resolved. */
  readonly words: readonly string[]
  /** Words with wildcards that the shell expands. */
  readonly patterns: readonly string[]
  readonly readsFrom: readonly string[]
  readonly writesTo: readonly string[]
  /** The position in a pipeline. */
  readonly segment: number
}

export interface Draft {
  text: string
  whole: string
  words: string[]
  patterns: string[]
  readsFrom: string[]
  writesTo: string[]
  /** An obstacle, unless the output is only stored or iterated over. */
  inner?: string
  isBehindGroup?: boolean
  /** The last redirection, as written. */
  redirected: string
}

export const newDraft = (): Draft => ({
  text: '',
  whole: '',
  words: [],
  patterns: [],
  readsFrom: [],
  writesTo: [],
  redirected: '',
})

/** In a word, text that only the shell knows. */
export const filledIn = '\u0001'

/** Whether the shell expands a part of the word. */
export const isFilledIn = (word: string): boolean => word.includes(filledIn)

/** Variables that these words set to a value that is unknown before the command runs. */
export function unknownIn(words: readonly string[] = []): string[] {
  return words.filter(isFilledIn).flatMap((word) => /^([A-Za-z_]\w*)=/.exec(word)?.[1] ?? [])
}

/** Stores the value of `A=x`, if it is all of a command, for the commands after it. */
export function keepVariable(words: readonly string[], variables: Map<string, string>): void {
  const set = words[0] === 'export' ? words.slice(1) : words
  const [, name, value] = (set.length === 1 && /^([A-Za-z_]\w*)=((?!~)[^\p{Cc}]+)$/u.exec(set[0]!)) || []
  if (name !== undefined && value !== undefined) variables.set(name, value)
}

/** Redirections after these apply to several commands. */
const ends = /^(?:fi|done|esac|\})$/
const keywords = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', 'fi', 'done'])

export const isKeyword = (word: string): boolean => keywords.has(word)

/** Whether these words begin a condition or a loop. */
export const isCompound = ([first = '']: readonly string[]): boolean => /^(?:if|while|until|for)$/.test(first)

/** Undefined if nothing is left to run. */
export function withoutKeywords(
  draft: Draft,
  stop: (obstacle: string) => void,
  block: (obstacle: string) => void,
): Omit<ShellCommand, 'segment'> | undefined {
  let { text, whole, words } = draft
  const skip = (word: string): void => {
    text = text.trimStart().slice(word.length).trimStart()
    whole = whole.trimStart().slice(word.length).trimStart()
    words = words.slice(1)
  }
  const isRedirected = draft.writesTo.length > 0 || draft.readsFrom.length > 0
  if (isRedirected && (draft.isBehindGroup || ends.test(words[0] ?? '')))
    block('redirections of several commands')
  while (words.length > 0 && keywords.has(words[0]!) && text.trimStart().startsWith(words[0]!))
    skip(words[0]!)
  if (words[0] === 'function') {
    skip(words[0])
    if (words[0] !== undefined) skip(words[0])
  }
  if (words[0] === '{' || words[0] === '}') {
    block('commands in braces')
    skip(words[0])
  }
  if (words[0] === 'case' || words[0] === 'select') block(`a \`${words[0]}\``)
  const isKept = words[0] === 'for' || (words.length === 1 && /^\w+=\p{Cc}$/u.test(words[0]!))
  if (draft.inner !== undefined && !isKept) stop(draft.inner)
  // The list of a `for` runs nothing.
  if (words[0] === 'for') words = []
  if (words.length === 0 && draft.writesTo.length === 0 && draft.readsFrom.length === 0) return undefined
  const { patterns, readsFrom, writesTo } = draft
  return { text: text.trim(), whole: whole.trim(), words, patterns, readsFrom, writesTo }
}
