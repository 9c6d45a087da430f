/**
 * Decides what a token means in text that is written to a file. Models read `[SECRET_1]` both where the file contains
 * the secret and where it contains these characters literally, so a written token means whatever the file has in the
 * corresponding line. Pure.
 */

import { formIn } from './secret-forms.ts'
import { tokenPattern } from '@contextd/scrub/internal/secret-token'

export type TokenMeaning =
  /** `text` is the secret in the form in which the file contains it. */
  | { readonly kind: 'secret'; readonly text: string }
  /** The characters themselves. */
  | { readonly kind: 'literal' }
  /** The file contains both, and either could be meant. */
  | { readonly kind: 'unclear' }

export interface FileTokens {
  /**
   * By the offset of each token in the text, in order. Tokens that the file does not decide have no entry. `replaced`
   * is the text of the file that is replaced: all of it if absent, nothing if empty.
   */
  meanings(text: string, replaced?: string): ReadonlyMap<number, TokenMeaning>
  /** Whether the file contains the token's characters literally. */
  hasLiteral(token: string): boolean
}

/** `values`: the value of each token that may be in the text. Any other token is plain text. */
export function createFileTokens(content: string, values: ReadonlyMap<string, string>): FileTokens {
  const formOf = memoized((token: string) => formIn(content, values.get(token)!))
  const hasLiteral = memoized((token: string) => content.includes(token))
  // Few files contain both a secret and its token. For all others, lines need not be compared.
  let view: FileView | undefined

  return {
    hasLiteral,
    meanings(text, replaced) {
      const meanings = new Map<number, TokenMeaning>()
      let inLines: ReadonlyMap<number, LineMeaning> | undefined
      for (const { 0: token, index } of text.matchAll(tokenPattern)) {
        if (!values.has(token)) continue
        const form = formOf(token)
        if (!hasLiteral(token)) {
          if (form !== undefined) meanings.set(index, { kind: 'secret', text: form })
          continue
        }
        view ??= createFileView(content, [...values.keys()], formOf)
        inLines ??= view.meanings(text, replaced)
        // Without an entry, it is part of a longer secret.
        const meant = inLines.get(index) ?? 'literal'
        if (meant === 'literal') meanings.set(index, { kind: meant })
        else if (form !== undefined)
          meanings.set(index, meant === 'unclear' ? { kind: meant } : { kind: 'secret', text: form })
      }
      return meanings
    },
  }
}

/** For a caller that writes tokens whose meaning is unclear. */
export function hintUnclear(tokens: string): string {
  return `The file contains the secret that ${tokens} represents, and elsewhere these characters as text. It is unclear which the changed lines mean. Change these lines one at a time.`
}

/** `new`: the file has no corresponding line. */
type LineMeaning = 'secret' | 'literal' | 'unclear' | 'new'

interface FileView {
  meanings(text: string, replaced?: string): ReadonlyMap<number, LineMeaning>
}

/** A line as models see it: each secret is replaced by its token. */
interface Line {
  readonly text: string
  /** Every token in it, by column. */
  readonly marks: ReadonlyMap<number, Mark>
}

interface Mark {
  readonly token: string
  readonly isSecret: boolean
  /** In the original text. */
  readonly offset: number
}

/** The meaning of an edit that matches in more places is unclear. */
const maxPlaces = 20

function createFileView(
  content: string,
  tokens: readonly string[],
  formOf: (token: string) => string | undefined,
): FileView {
  const needles = tokens
    .flatMap((token) => [
      { text: token, token, isSecret: false },
      { text: formOf(token) ?? '', token, isSecret: true },
    ])
    .filter(({ text }) => text !== '')
    .sort((a, b) => b.text.length - a.text.length)
  const file = maskedLines(content, needles)
  const inFile = groupByText(file)
  const seen = textOf(file)

  /** The lines an edit changes, and which parts of the first and last line remain. */
  const placesOf = (replaced: string): { lines: Line[]; before: string; after: string }[] => {
    const places = []
    const count = replaced.split('\n').length
    let [number, start] = [0, 0]
    for (let at = seen.indexOf(replaced); at !== -1; at = seen.indexOf(replaced, at + replaced.length)) {
      if (places.length === maxPlaces) return []
      while (start + file[number]!.text.length < at) start += file[number++]!.text.length + 1
      const lines = file.slice(number, number + count)
      const end = start + textOf(lines).length
      places.push({ lines, before: seen.slice(start, at), after: seen.slice(at + replaced.length, end) })
    }
    return places
  }

  return {
    meanings(text, replaced) {
      const written = maskedLines(text, needles)
      if (replaced === '') return compareLines([], written, inFile)
      const places = replaced === undefined ? [] : placesOf(textOf(maskedLines(replaced, needles)))
      if (places.length === 0) return compareLines(file, written, inFile)
      return places
        .map(({ lines, before, after }) => compareLines(lines, completeLines(before, written, after), inFile))
        .reduce((one, other) => {
          const agreed = Array.from(one, ([at, kind]): [number, LineMeaning] => [
            at,
            other.get(at) === kind ? kind : 'unclear',
          ])
          return new Map(agreed)
        })
    },
  }
}

/**
 * A line that is already in the file keeps its meaning. Any other replaces the removed lines: if all of them had the
 * secret, or none had the token, it is the secret; if all had the literal characters, and there are no more new lines
 * than removed ones, it is the literal characters.
 */
function compareLines(
  old: readonly Line[],
  written: readonly Line[],
  inFile: ReadonlyMap<string, readonly Line[]>,
): ReadonlyMap<number, LineMeaning> {
  const before = groupByText(old)
  const after = groupByText(written)
  const removed = [...before].flatMap(([text, lines]) => {
    const count = lines.length - (after.get(text)?.length ?? 0)
    return count > 0 ? [{ text, lines, count }] : []
  })
  const added = [...after].filter(([text]) => !inFile.has(text))

  const removedWith = (token: string) => removed.filter(({ text }) => text.includes(token))
  const removedKinds = memoized(
    (token: string) =>
      new Set(removedWith(token).flatMap(({ lines }) => lines.flatMap((line) => kindsOf(line, token)))),
  )
  const meaningOfNew = memoized((token: string): LineMeaning => {
    const kinds = removedKinds(token)
    if (!kinds.has('literal')) return 'new'
    const room = removedWith(token).reduce((sum, { count }) => sum + count, 0)
    const needed = added.reduce((sum, [text, lines]) => sum + (text.includes(token) ? lines.length : 0), 0)
    return kinds.has('secret') || needed > room ? 'unclear' : 'literal'
  })

  const meanings = new Map<number, LineMeaning>()
  for (const [text, lines] of after) {
    const replaced = before.get(text) ?? []
    const same = replaced.length > 0 ? replaced : (inFile.get(text) ?? [])
    const kindOfAll = memoized((column: number) => onlyKind(same, column))
    const meaningAt = (nth: number, column: number, token: string): LineMeaning => {
      if (same.length === 0) return meaningOfNew(token)
      if (replaced.length === lines.length) return kindOf(replaced[nth]!.marks.get(column))
      const kind = kindOfAll(column)
      // An additional copy may be a changed line that meant the other, such as one that was uncommented.
      const isCopy = lines.length > replaced.length
      const isDoubtful = isCopy && [...removedKinds(token)].some((lost) => lost !== kind)
      return isDoubtful ? 'unclear' : kind
    }
    for (const [nth, { marks }] of lines.entries()) {
      for (const [column, { token, offset }] of marks) meanings.set(offset, meaningAt(nth, column, token))
    }
  }
  return meanings
}

const kindOf = (mark: Mark | undefined): LineMeaning =>
  mark === undefined ? 'unclear' : mark.isSecret ? 'secret' : 'literal'

const kindsOf = ({ marks }: Line, token: string): LineMeaning[] =>
  Array.from(marks.values()).flatMap((mark) => (mark.token === token ? [kindOf(mark)] : []))

function onlyKind(lines: readonly Line[], column: number): LineMeaning {
  const kind = kindOf(lines[0]!.marks.get(column))
  return lines.every(({ marks }) => kindOf(marks.get(column)) === kind) ? kind : 'unclear'
}

interface Needle {
  readonly text: string
  readonly token: string
  readonly isSecret: boolean
}

/** Longer needles come first, because a secret may contain another one. */
function maskedLines(content: string, needles: readonly Needle[]): Line[] {
  let pieces: (string | Needle)[] = [content]
  for (const needle of needles) {
    pieces = pieces.flatMap((piece) => {
      if (typeof piece !== 'string') return [piece]
      const [first = '', ...parts] = piece.split(needle.text)
      return [first, ...parts.flatMap((part) => [needle, part])]
    })
  }
  const lines: Line[] = []
  let [text, marks, offset] = ['', new Map<number, Mark>(), 0]
  const close = (): void => {
    lines.push({ text: text.endsWith('\r') ? text.slice(0, -1) : text, marks })
    ;[text, marks] = ['', new Map()]
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      piece.split('\n').forEach((part, index) => {
        if (index > 0) close()
        text += part
      })
      offset += piece.length
    } else {
      marks.set(text.length, { token: piece.token, isSecret: piece.isSecret, offset })
      text += piece.token
      offset += piece.text.length
    }
  }
  close()
  return lines
}

/** The complete lines of an edit that starts and ends within lines. */
function completeLines(before: string, lines: readonly Line[], after: string): Line[] {
  return lines.map(({ text, marks }, index) => {
    const start = index === 0 ? before : ''
    const end = index === lines.length - 1 ? after : ''
    const moved = Array.from(marks, ([column, mark]): [number, Mark] => [column + start.length, mark])
    return { text: start + text + end, marks: new Map(moved) }
  })
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n')

function groupByText(lines: readonly Line[]): Map<string, Line[]> {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const group = groups.get(line.text)
    if (group === undefined) groups.set(line.text, [line])
    else group.push(line)
  }
  return groups
}

function memoized<Key, T>(find: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, T>()
  return (key) => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key) as T
  }
}
