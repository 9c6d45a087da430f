/**
 * What a token means in a text that is written to a file. Models read `[SECRET_1]` both where the file has the secret and
 * where someone wrote these characters, so a written token means what the file has in the line that it comes from. Pure.
 */

import { formIn } from './secret-forms.ts'
import { tokenPattern } from '@contextd/scrub/internal/secret-token'

export type TokenMeaning =
  /** `text` is the secret as it is written in the file. */
  | { readonly kind: 'secret'; readonly text: string }
  /** The characters themselves. */
  | { readonly kind: 'literal' }
  /** The file contains both, and either could be meant. */
  | { readonly kind: 'unclear' }

export interface FileTokens {
  /**
   * By the offset of each token in the text, in order. There is no entry where the file does not decide. `replaced` is what
   * the file loses for the text: everything where it is absent, nothing where it is empty.
   */
  meanings(text: string, replaced?: string): ReadonlyMap<number, TokenMeaning>
  /** Whether the file contains the characters of the token. */
  hasLiteral(token: string): boolean
}

/** `values`: those of all tokens that may be in the text. Any other token is text. */
export function createFileTokens(content: string, values: ReadonlyMap<string, string>): FileTokens {
  const formOf = remembered((token: string) => formIn(content, values.get(token)!))
  const hasLiteral = remembered((token: string) => content.includes(token))
  // Few files contain both a secret and its token. The lines of all others need not be compared.
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
        // Without an entry it is a part of a longer secret.
        const meant = inLines.get(index) ?? 'literal'
        if (meant === 'literal') meanings.set(index, { kind: meant })
        else if (form !== undefined)
          meanings.set(index, meant === 'unclear' ? { kind: meant } : { kind: 'secret', text: form })
      }
      return meanings
    },
  }
}

/** For a writer of tokens whose meaning is unclear. */
export function hintUnclear(tokens: string): string {
  return `The file contains the secret that ${tokens} represents, and elsewhere these characters as text. It is unclear which the changed lines mean. Change these lines one at a time.`
}

/** `new`: nothing in the file is an example for it. */
type LineMeaning = 'secret' | 'literal' | 'unclear' | 'new'

interface FileView {
  meanings(text: string, replaced?: string): ReadonlyMap<number, LineMeaning>
}

/** A line as models see it: with the token in place of each secret. */
interface Line {
  readonly text: string
  /** Every token in it, by its column. */
  readonly marks: ReadonlyMap<number, Mark>
}

interface Mark {
  readonly token: string
  readonly isSecret: boolean
  /** In the text as it is. */
  readonly offset: number
}

/** An edit that fits in more places could be meant for any line. */
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
  const file = linesAsSeen(content, needles)
  const inFile = groupByText(file)
  const seen = textOf(file)

  /** The lines that an edit changes, and what it leaves of the first and the last. */
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
      const written = linesAsSeen(text, needles)
      if (replaced === '') return compareLines([], written, inFile)
      const places = replaced === undefined ? [] : placesOf(textOf(linesAsSeen(replaced, needles)))
      if (places.length === 0) return compareLines(file, written, inFile)
      return places
        .map(({ lines, before, after }) => compareLines(lines, within(before, written, after), inFile))
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
 * A line that the file has already keeps what it has there. Any other takes the place of the lines that are gone: where all
 * of them had the secret, or none had the token, it is the secret; where all had the characters, and there are no more new
 * lines than gone ones, it is the characters.
 */
function compareLines(
  old: readonly Line[],
  written: readonly Line[],
  inFile: ReadonlyMap<string, readonly Line[]>,
): ReadonlyMap<number, LineMeaning> {
  const before = groupByText(old)
  const after = groupByText(written)
  const gone = [...before].flatMap(([text, lines]) => {
    const count = lines.length - (after.get(text)?.length ?? 0)
    return count > 0 ? [{ text, lines, count }] : []
  })
  const added = [...after].filter(([text]) => !inFile.has(text))

  const lostWith = (token: string) => gone.filter(({ text }) => text.includes(token))
  const kindsLost = remembered(
    (token: string) =>
      new Set(lostWith(token).flatMap(({ lines }) => lines.flatMap((line) => kindsOf(line, token)))),
  )
  const meaningOfNew = remembered((token: string): LineMeaning => {
    const kinds = kindsLost(token)
    if (!kinds.has('literal')) return 'new'
    const room = lostWith(token).reduce((sum, { count }) => sum + count, 0)
    const wanted = added.reduce((sum, [text, lines]) => sum + (text.includes(token) ? lines.length : 0), 0)
    return kinds.has('secret') || wanted > room ? 'unclear' : 'literal'
  })

  const meanings = new Map<number, LineMeaning>()
  for (const [text, lines] of after) {
    const replaced = before.get(text) ?? []
    const same = replaced.length > 0 ? replaced : (inFile.get(text) ?? [])
    const kindOfAll = remembered((column: number) => onlyKind(same, column))
    const meaningAt = (nth: number, column: number, token: string): LineMeaning => {
      if (same.length === 0) return meaningOfNew(token)
      if (replaced.length === lines.length) return kindOf(replaced[nth]!.marks.get(column))
      const kind = kindOfAll(column)
      // One more of a line may be a changed line that means the other, such as one that is no comment any more.
      const isCopy = lines.length > replaced.length
      const isDoubtful = isCopy && [...kindsLost(token)].some((lost) => lost !== kind)
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

/** Longer needles come first: a secret may contain another one. */
function linesAsSeen(content: string, needles: readonly Needle[]): Line[] {
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

/** The whole lines of an edit that begins and ends inside of lines. */
function within(before: string, lines: readonly Line[], after: string): Line[] {
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

function remembered<Key, T>(find: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, T>()
  return (key) => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key) as T
  }
}
