/** Finds Markdown files below a folder, within limits. */

import { readdirSync, statSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'

import { notChecked, type FileError } from './client-files.ts'

const maxFolders = 4096
const maxFiles = 20_000

export interface MarkdownFile {
  readonly file: string
  /** The folders between the searched folder and the file. */
  readonly folders: readonly string[]
}

export interface MarkdownSearch {
  readonly followsLinks: boolean
  /** The file extension; `.md` by default. */
  readonly ending?: RegExp
  /** Called once if a limit is exceeded. */
  readonly report: (problem: FileError) => void
}

/** Searches at any depth, sorted by name. Each folder is entered once, even if links form a cycle. */
export function markdownIn(
  folder: string,
  { followsLinks, ending = /\.md$/, report }: MarkdownSearch,
): MarkdownFile[] {
  const files: MarkdownFile[] = []
  const entered = new Set<string>()
  const waiting = [{ path: folder, folders: [] as readonly string[] }]
  for (const { path, folders } of waiting) {
    const id = statOf(path)?.isDirectory() === true ? idOf(path) : undefined
    if (id === undefined || entered.has(id)) continue
    if (entered.size >= maxFolders) {
      report(notChecked(path, `There are more than ${maxFolders} folders: this one and all after it`))
      break
    }
    entered.add(id)
    for (const entry of entriesOf(path)) {
      const inner = join(path, entry.name)
      const isLink = entry.isSymbolicLink()
      if (isLink && !followsLinks) continue
      const isFolder = isLink ? statOf(inner)?.isDirectory() === true : entry.isDirectory()
      if (isFolder) waiting.push({ path: inner, folders: [...folders, entry.name] })
      else if (ending.test(entry.name)) files.push({ file: inner, folders })
      if (files.length > maxFiles) {
        report(notChecked(inner, `There are more than ${maxFiles} files: this one and all after it`))
        return files.slice(0, -1)
      }
    }
  }
  return files
}

/** Identical for all names of a file; undefined if it does not exist. */
export function idOf(path: string): string | undefined {
  const stat = statOf(path)
  return stat && `${stat.dev}:${stat.ino}`
}

/** Returns whether a file is seen for the first time, under any name. Unreadable files are always new. */
export function firstNames(): (file: string) => boolean {
  const seen = new Set<string>()
  return (file) => {
    const id = idOf(file)
    if (id === undefined) return true
    const isFirst = !seen.has(id)
    seen.add(id)
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

/** Undefined for missing files and for links in a cycle. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
