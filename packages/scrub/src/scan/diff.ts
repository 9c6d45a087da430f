/**
 * Reads patches as git prints them, also of merges, while they come: a line may be longer than memory. Where a hunk ends
 * is known by counting its lines, so that nothing in a file can pass for a part of the patch.
 */

export interface DiffEvents {
  commit(id: string): void
  /** A file as it is after the change. */
  file(name: string, isNew: boolean): void
  /** What follows are lines of that file, from this one on. */
  hunk(firstLine: number): void
  /** A piece of a line, with its line break where it ends here. */
  content(bytes: Uint8Array, isAdded: boolean): void
  hunkEnd(): void
}

export interface DiffReader {
  push(bytes: Uint8Array): void
}

const newline = 10
const minus = 0x2d
const plus = 0x2b
const backslash = 0x5c
/** No header is longer; the rest of such a line is dropped. */
const maxHeaderLength = 65_536

export function createDiffReader(events: DiffEvents): DiffReader {
  let hunk: Hunk | undefined
  let header = ''
  let isNew = false
  /** Of the line in a hunk that is being read: its marks, and once they are complete, what it is. */
  let marks: number[] = []
  let line: 'added' | 'kept' | 'removed' | 'remark' | undefined

  const readHeader = (text: string): void => {
    const found = readHunkHeader(text)
    if (found !== undefined) {
      hunk = found
      events.hunk(found.firstLine)
      if (isDone(found)) endHunk()
    } else if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text)) events.commit(text)
    else if (text.startsWith('diff --')) isNew = false
    else if (/^(?:new file mode|rename to) /.test(text)) isNew = true
    else if (text.startsWith('+++ ')) {
      const name = readName(text.slice(4))
      if (name !== undefined) events.file(name, isNew)
    }
  }

  const endHunk = (): void => {
    hunk = undefined
    events.hunkEnd()
  }

  const endLine = (current: Hunk): void => {
    if (line !== 'remark') count(current, marks)
    marks = []
    line = undefined
    if (isDone(current)) endHunk()
  }

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length;) {
        if (hunk === undefined) {
          const end = endOf(bytes, at)
          if (header.length < maxHeaderLength)
            header += Buffer.from(bytes.subarray(at, end)).toString('latin1')
          at = end
          if (bytes[end - 1] !== newline) return
          readHeader(header.slice(0, -1))
          header = ''
        } else if (line === undefined) {
          const mark = bytes[at]!
          // An empty line may come without its mark.
          if (mark === newline) {
            while (marks.length < hunk.old.length) marks.push(32)
            line = 'kept'
            continue
          }
          at++
          marks.push(mark)
          if (mark === backslash && marks.length === 1) line = 'remark'
          else if (marks.length === hunk.old.length) line = kindOf(marks)
        } else {
          const end = endOf(bytes, at)
          if (line === 'added' || line === 'kept') events.content(bytes.subarray(at, end), line === 'added')
          at = end
          if (bytes[end - 1] === newline) endLine(hunk)
        }
      }
    },
  }
}

/** Behind the next line break, or the end of the bytes. */
function endOf(bytes: Uint8Array, at: number): number {
  const found = bytes.indexOf(newline, at)
  return found === -1 ? bytes.length : found + 1
}

/** Lines that are still to come: of the file as it was, for each parent, and as it is. */
interface Hunk {
  readonly firstLine: number
  readonly old: number[]
  fresh: number
}

/** `@@ -1,2 +1,3 @@`, and for a merge of two `@@@ -1,2 -1,2 +1,3 @@@`. */
function readHunkHeader(text: string): Hunk | undefined {
  const [, signs = '', before = '', first = '', count = '1'] =
    /^(@@+) ((?:-\d+(?:,\d+)? )+)\+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
  if (signs === '') return undefined
  const old = [...before.matchAll(/-\d+(?:,(\d+))?/g)].map(([, lines = '1']) => Number(lines))
  return old.length === signs.length - 1 ? { firstLine: Number(first), old, fresh: Number(count) } : undefined
}

function kindOf(marks: readonly number[]): 'added' | 'kept' | 'removed' {
  if (marks.includes(minus)) return 'removed'
  // In a merge, what one of the parents has is not new.
  return marks.every((mark) => mark === plus) ? 'added' : 'kept'
}

function count(hunk: Hunk, marks: readonly number[]): void {
  const isRemoved = marks.includes(minus)
  if (!isRemoved) hunk.fresh--
  for (const [parent, mark] of marks.entries()) {
    if (isRemoved ? mark === minus : mark !== plus) hunk.old[parent]!--
  }
}

function isDone({ fresh, old }: Hunk): boolean {
  return fresh <= 0 && old.every((lines) => lines <= 0)
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
}

/** `b/name`, in quotes where it holds anything odd. Undefined for `/dev/null`: the file is gone. */
function readName(text: string): string | undefined {
  const plain = text.startsWith('"')
    ? text
        .slice(1, text.lastIndexOf('"'))
        .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter: string) =>
          octal === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
        )
    : text.replace(/\t$/, '')
  if (plain === '/dev/null') return undefined
  return Buffer.from(plain.replace(/^b\//, ''), 'latin1').toString('utf8')
}
