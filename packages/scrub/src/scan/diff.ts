/**
 * Reads patches from git, including those of merges, as a stream: a line may be longer than memory. The end of a hunk
 * is determined by counting its lines, so that no file content can pass for a part of the patch.
 */

export interface DiffEvents {
  commit(id: string): void
  /** The new name of a changed file. */
  file(name: string, isNew: boolean): void
  /** The content that follows is from this line of the file on. */
  hunk(firstLine: number): void
  /** A part of a line, with the line break if the line ends here. */
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
/** Headers are shorter; the rest of a longer line is dropped. */
const maxHeaderLength = 65_536

export function createDiffReader(events: DiffEvents): DiffReader {
  let hunk: Hunk | undefined
  let header = ''
  let isNew = false
  /** The markers of the current hunk line, and its kind once they are complete. */
  let markers: number[] = []
  let line: 'added' | 'context' | 'removed' | 'remark' | undefined

  const readHeader = (text: string): void => {
    const header = readHunkHeader(text)
    if (header !== undefined) {
      hunk = header
      events.hunk(header.firstLine)
      if (isDone(header)) endHunk()
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
    if (line !== 'remark') count(current, markers)
    markers = []
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
          const marker = bytes[at]!
          // Empty context lines may have no marker.
          if (marker === newline) {
            while (markers.length < hunk.old.length) markers.push(32)
            line = 'context'
            continue
          }
          at++
          markers.push(marker)
          if (marker === backslash && markers.length === 1) line = 'remark'
          else if (markers.length === hunk.old.length) line = kindOf(markers)
        } else {
          const end = endOf(bytes, at)
          if (line === 'added' || line === 'context')
            events.content(bytes.subarray(at, end), line === 'added')
          at = end
          if (bytes[end - 1] === newline) endLine(hunk)
        }
      }
    },
  }
}

/** The offset after the next line break, or the end of the bytes. */
function endOf(bytes: Uint8Array, at: number): number {
  const found = bytes.indexOf(newline, at)
  return found === -1 ? bytes.length : found + 1
}

/** The lines still to read: of the old file, for each parent, and of the new one. */
interface Hunk {
  readonly firstLine: number
  readonly old: number[]
  fresh: number
}

/** `@@ -1,2 +1,3 @@`, and for a merge of two parents `@@@ -1,2 -1,2 +1,3 @@@`. */
function readHunkHeader(text: string): Hunk | undefined {
  const [, atSigns = '', before = '', first = '', count = '1'] =
    /^(@@+) ((?:-\d+(?:,\d+)? )+)\+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
  if (atSigns === '') return undefined
  const old = [...before.matchAll(/-\d+(?:,(\d+))?/g)].map(([, lines = '1']) => Number(lines))
  return old.length === atSigns.length - 1
    ? { firstLine: Number(first), old, fresh: Number(count) }
    : undefined
}

function kindOf(markers: readonly number[]): 'added' | 'context' | 'removed' {
  if (markers.includes(minus)) return 'removed'
  // In a merge, a line that one of the parents has is not new.
  return markers.every((marker) => marker === plus) ? 'added' : 'context'
}

function count(hunk: Hunk, markers: readonly number[]): void {
  const isRemoved = markers.includes(minus)
  if (!isRemoved) hunk.fresh--
  for (const [parent, marker] of markers.entries()) {
    if (isRemoved ? marker === minus : marker !== plus) hunk.old[parent]!--
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

/** `b/name`, quoted if it contains special characters. Undefined for `/dev/null`, the name of a deleted file. */
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
