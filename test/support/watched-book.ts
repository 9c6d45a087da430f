import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach } from 'vitest'

import type { Log } from '../../src/platform/log.ts'
import type { IsTrusted } from '../../src/platform/files/watched-files.ts'

/** Options of a book that watches the files of the user and of a project. */
export interface BookOptions<Event> {
  readonly files: {
    readonly user: readonly string[]
    readonly userIsNamed: boolean
    readonly project: readonly string[]
  }
  readonly isTrusted: IsTrusted
  readonly clock: () => number
  readonly onEvent: (event: Event) => void
  readonly log: Log
}

export interface BookPlace<Book, Event> {
  readonly userFile: () => string
  readonly otherUserFile: () => string
  readonly projectFile: () => string
  readonly otherProjectFile: () => string
  /** Another file in the same folder. */
  readonly fileNamed: (name: string) => string
  readonly events: readonly Event[]
  readonly logged: readonly string[]
  /** The path and text of each file that the user has trusted. */
  readonly trusted: Set<string>
  open(parts?: Partial<BookOptions<Event>>): Book
  write(path: string, text: string): void
  writeTrusted(path: string, text: string): void
}

/** A folder for each test, with books that are closed after it. */
export function bookPlace<Book extends { close(): void }, Event>(
  names: { readonly own: string; readonly shared: string },
  create: (options: BookOptions<Event>) => Book,
): BookPlace<Book, Event> {
  let folder: string
  let books: Book[]
  const events: Event[] = []
  const logged: string[] = []
  const trusted = new Set<string>()

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'contextd-book-'))
    books = []
    events.length = 0
    logged.length = 0
    trusted.clear()
  })
  afterEach(() => {
    for (const book of books) book.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const userFile = (): string => join(folder, 'config', names.own)
  const otherUserFile = (): string => join(folder, 'config', names.shared)
  const projectFile = (): string => join(folder, 'project', '.contextd', names.own)
  const otherProjectFile = (): string => join(folder, 'project', names.shared)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return {
    userFile,
    otherUserFile,
    projectFile,
    otherProjectFile,
    fileNamed: (name) => join(folder, name),
    events,
    logged,
    trusted,
    open(parts = {}) {
      const book = create({
        files: {
          user: [userFile(), otherUserFile()],
          userIsNamed: false,
          project: [projectFile(), otherProjectFile()],
        },
        isTrusted: (path, bytes) => trusted.has(path + String(bytes)),
        clock: () => 1000,
        onEvent: (event) => events.push(event),
        log: (severity, message) => logged.push(`${severity} ${message}`),
        ...parts,
      })
      books.push(book)
      return book
    },
    write,
    writeTrusted(path, text) {
      write(path, text)
      trusted.add(path + text)
    },
  }
}
