/** Finding Markdown files below a folder, however it is built. */

import { readdirSync, statSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'

import { notLookedAt, type FileError } from './client-files.ts'

const maxFolders = 4096
const maxFiles = 20_000

export interface MarkdownFile {
  readonly file: string
  /** The folders between the one that was searched and the file. */
  readonly folders: readonly string[]
}

export interface MarkdownSearch {
  readonly followsLinks: boolean
  /** What a file's name ends with; `.md` unless given. */
  readonly ending?: RegExp
  /** Where there is more than is looked at; told once. */
  readonly report: (problem: FileError) => void
}

/** At any depth, in the order of their names; a folder that is linked into itself is entered once. */
export function markdownIn(
  folder: string,
  { followsLinks, ending = /\.md$/, report }: MarkdownSearch,
): MarkdownFile[] {
  const found: MarkdownFile[] = []
  const entered = new Set<string>()
  const waiting = [{ path: folder, folders: [] as readonly string[] }]
  for (const { path, folders } of waiting) {
    const id = statOf(path)?.isDirectory() === true ? idOf(path) : undefined
    if (id === undefined || entered.has(id)) continue
    if (entered.size >= maxFolders) {
      report(notLookedAt(path, `There are more than ${maxFolders} folders: this one and all after it`))
      break
    }
    entered.add(id)
    for (const entry of entriesOf(path)) {
      const inner = join(path, entry.name)
      const isLink = entry.isSymbolicLink()
      if (isLink && !followsLinks) continue
      const isFolder = isLink ? statOf(inner)?.isDirectory() === true : entry.isDirectory()
      if (isFolder) waiting.push({ path: inner, folders: [...folders, entry.name] })
      else if (ending.test(entry.name)) found.push({ file: inner, folders })
      if (found.length > maxFiles) {
        report(notLookedAt(inner, `There are more than ${maxFiles} files: this one and all after it`))
        return found.slice(0, -1)
      }
    }
  }
  return found
}

/** The same for all names of one file; undefined where nothing is there. */
export function idOf(path: string): string | undefined {
  const stat = statOf(path)
  return stat && `${stat.dev}:${stat.ino}`
}

/** Whether a file was not seen before under another name; what cannot be looked at counts as new. */
export function firstNames(): (file: string) => boolean {
  const taken = new Set<string>()
  return (file) => {
    const id = idOf(file)
    if (id === undefined) return true
    const isFirst = !taken.has(id)
    taken.add(id)
    return isFirst
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** Undefined also where links lead in a circle. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
