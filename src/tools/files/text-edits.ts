/**
 * Replaces parts of a text: all edits refer to the text as it was read, and apply together or not at all. In a text
 * with Windows line ends, `\n` in an edit means whatever the text has there. Pure.
 */

export interface TextEdit {
  /** The exact text to replace. Either this or `lines`. */
  readonly old?: string | undefined
  /** The lines to replace: `12-15`, or `12`. */
  readonly lines?: string | undefined
  readonly new: string
  /** Replace every occurrence of `old`. */
  readonly all?: boolean | undefined
}

/** A part of the text, as offsets in it, and what replaces it. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface EditProblem {
  /** Which edit, from 1. */
  readonly edit: number
  readonly problem: string
  readonly hint: string
}

/** `12-15`, or `12`. */
export const lineRange = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/

/** More are better done by a program. */
const maxPlaces = 1000

/** The places that each edit would replace, in its order; no places where nothing matches. */
export function locateEdits(text: string, edits: readonly TextEdit[]): Replacement[][] {
  const plain = withPlainEnds(text)
  return edits.map((edit) => {
    const spans = edit.old === undefined ? lineSpans(plain, edit) : textSpans(plain, edit)
    return spans.map(({ start, end, text: written }) => ({
      start: plain.offsetOf(start),
      end: plain.offsetOf(end),
      text: plain.withEnds(written, start),
    }))
  })
}

/** The text that an edit replaces, if it names lines. */
export function linesOf(text: string, lines: string): string | undefined {
  const [span] = lineSpans(withPlainEnds(text), { lines, new: 'x' })
  return span && withPlainEnds(text).text.slice(span.start, span.end)
}

/** Why the edits cannot be applied; undefined if they can. */
export function problemWith(
  text: string,
  edits: readonly TextEdit[],
  located: readonly (readonly Replacement[])[],
): EditProblem | undefined {
  for (const [index, edit] of edits.entries()) {
    const problem = problemAt(text, edit, located[index]!)
    if (problem !== undefined) return { edit: index + 1, ...problem }
  }
  const ordered = inOrder(located)
  for (const [index, { edit, start }] of ordered.entries()) {
    const before = ordered[index - 1]
    if (before !== undefined && (start < before.end || start === before.start)) {
      const others = before.edit === edit ? 'itself' : `edit ${before.edit}`
      return {
        edit,
        problem: `overlaps ${others}`,
        hint: 'Combine them: all edits refer to the file as read.',
      }
    }
  }
  return undefined
}

type Problem = Omit<EditProblem, 'edit'>

function problemAt(text: string, edit: TextEdit, places: readonly Replacement[]): Problem | undefined {
  const [first] = places
  if (first === undefined) return edit.old === undefined ? missingLines(text, edit) : notFound
  if (places.length > maxPlaces) {
    return { problem: `has more than ${maxPlaces} matches`, hint: 'Use a longer `old`, or sed in safe_bash.' }
  }
  if (places.length > 1 && edit.all !== true) {
    const lines = places.slice(0, 5).map(({ start }) => lineAt(text, start))
    const more = places.length > lines.length ? ', …' : ''
    return {
      problem: `has ${places.length} matches, at lines ${lines.join(', ')}${more}`,
      hint: 'Add surrounding lines to `old` until it is unique, or set `all`.',
    }
  }
  if (places.every(({ start, end, text: written }) => text.slice(start, end) === written)) {
    return { problem: 'changes nothing', hint: 'Omit it, or correct `new`.' }
  }
  return undefined
}

/** Also for text that begins or ends inside a secret: whether a guess was right must not show. */
const notFound: Problem = {
  problem: 'has no match for `old`',
  hint: 'Copy `old` exactly from safe_read, without line numbers and with complete tokens such as [SECRET_1], or name `lines` instead.',
}

function missingLines(text: string, { lines }: TextEdit): Problem {
  const count = countOf(withPlainEnds(text).text)
  return {
    problem: `names lines ${lines}, which do not exist or start or end inside a secret: the file has ${count} lines`,
    hint: 'Read the file again, and use its line numbers.',
  }
}

/** Lines of the new text, from 1. */
export interface ChangedLines {
  readonly first: number
  readonly last: number
}

export interface EditedText {
  readonly text: string
  /** In order, without overlaps. A range of lines that were only removed is the line that follows. */
  readonly changed: readonly ChangedLines[]
}

export function applyEdits(text: string, located: readonly (readonly Replacement[])[]): EditedText {
  let after = ''
  let at = 0
  const spans: { start: number; end: number }[] = []
  for (const { start, end, text: written } of inOrder(located)) {
    after += text.slice(at, start)
    spans.push({ start: after.length, end: after.length + written.length })
    after += written
    at = end
  }
  after += text.slice(at)
  const changed: ChangedLines[] = []
  let [line, counted] = [1, 0]
  const lineOf = (offset: number): number => {
    line += countEnds(after.slice(counted, offset))
    counted = offset
    return line
  }
  for (const { start, end } of spans) {
    const first = lineOf(start)
    const last = lineOf(Math.max(start, after[end - 1] === '\n' ? end - 1 : end))
    const before = changed.at(-1)
    if (before !== undefined && first <= before.last + 1) changed[changed.length - 1] = { ...before, last }
    else changed.push({ first, last })
  }
  return { text: after, changed }
}

function inOrder(located: readonly (readonly Replacement[])[]): (Replacement & { edit: number })[] {
  return located
    .flatMap((places, index) => places.map((place) => ({ ...place, edit: index + 1 })))
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

function textSpans({ text, plain }: PlainEnds, edit: TextEdit): Replacement[] {
  const old = plain(edit.old!)
  const written = plain(edit.new)
  const spans: Replacement[] = []
  if (old === '') return spans
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    spans.push({ start: at, end: at + old.length, text: written })
    if (spans.length > maxPlaces) break
  }
  return spans
}

/** The last line end of `new` is optional. Without any text, the lines are removed. */
function lineSpans({ text, plain }: PlainEnds, edit: TextEdit): Replacement[] {
  const range = lineRange.exec(edit.lines ?? '')
  if (range === null) return []
  const first = Number(range[1])
  const last = Number(range[2] ?? range[1])
  if (last < first || last > countOf(text)) return []
  let start = 0
  for (let line = 1; line < first; line++) start = text.indexOf('\n', start) + 1
  let end = start
  for (let line = first; line <= last; line++) {
    const found = text.indexOf('\n', line === first ? start : end + 1)
    end = found === -1 ? text.length : found
  }
  const written = plain(edit.new)
  if (written !== '') {
    return [{ start, end, text: written.endsWith('\n') ? written.slice(0, -1) : written }]
  }
  if (end < text.length) return [{ start, end: end + 1, text: '' }]
  // The last line has no line end: the one before it is removed instead.
  return [{ start: Math.max(0, start - 1), end, text: '' }]
}

/** A text with `\n` alone at the end of lines. */
interface PlainEnds {
  readonly text: string
  /** The same for other text. */
  plain(other: string): string
  /** The offset in the original text. */
  offsetOf(at: number): number
  /** Text that is written at this offset, with the line ends that the original has there. */
  withEnds(written: string, at: number): string
}

function withPlainEnds(original: string): PlainEnds {
  const parts = original.split('\r\n')
  if (parts.length === 1) {
    const same = (text: string): string => text
    return { text: original, plain: same, offsetOf: (at) => at, withEnds: same }
  }
  const plain = (other: string): string => other.replaceAll('\r\n', '\n')
  const text = parts.join('\n')
  // Where a line end of the text was longer, in order.
  const longer: number[] = []
  let at = 0
  for (const part of parts.slice(0, -1)) {
    longer.push(at + part.length)
    at += part.length + 1
  }
  const countBefore = (offset: number): number => {
    let [low, high] = [0, longer.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (longer[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low
  }
  const isLonger = (offset: number): boolean => longer[countBefore(offset)] === offset
  return {
    text,
    plain,
    offsetOf: (offset) => offset + countBefore(offset),
    withEnds(written, offset) {
      const next = text.indexOf('\n', offset)
      const end = next === -1 ? text.lastIndexOf('\n') : next
      return isLonger(end) ? written.replaceAll('\n', '\r\n') : written
    },
  }
}

function lineAt(text: string, offset: number): number {
  return 1 + countEnds(text.slice(0, offset))
}

function countEnds(text: string): number {
  return text.split('\n').length - 1
}

/** The last line is counted even without a line end. */
function countOf(text: string): number {
  return countEnds(text) + (text === '' || text.endsWith('\n') ? 0 : 1)
}
