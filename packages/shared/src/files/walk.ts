/** Walks a folder like git: applies ignore files, does not follow links, skips `.git`. */

import { readdirSync, type Dirent } from 'node:fs'

import { createIgnoreRules, type IgnoreRules } from './ignore-files.ts'
import { systemErrorCode } from './error-code.ts'
import { openFile } from './open-file.ts'

export interface WalkedFile {
  /** The path as bytes, since names need not be UTF-8. */
  readonly path: Buffer
  /** Relative to the root, with `/`. */
  readonly name: string
}

export interface TreeWalk {
  /** The folder that names are relative to, with the outermost ignore files. */
  readonly root: string
  /** The root or a folder below it. */
  readonly folder: string
  /** Names of ignore files; later ones override earlier ones. If empty, nothing is ignored. */
  readonly ignoreFiles: readonly string[]
  /** Does not enter subfolders. */
  readonly isShallow?: boolean
  /** Called for each folder that is not ignored, entered or not. */
  readonly onFolder?: (name: string) => void
  readonly onIgnored: () => void
  readonly onSkip: (name: string, why: string) => void
  readonly onWarning: (name: string, message: string) => void
}

/** Yields files sorted by name. Internally, paths are Latin-1 strings with one character per byte. */
export function* walkFolder(walk: TreeWalk): Generator<WalkedFile> {
  const start = startOf(walk)
  const pending: Folder[] = [start]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const below: Folder[] = []
    const entries = listFolder(folder, walk)
    const rules = readRules(folder, new Set(entries.map(({ name }) => name)), walk)
    for (const entry of entries) {
      if (entry.name === '.git') continue
      const name = nameOf(folder.name + entry.name)
      const isFolder = entry.isDirectory()
      if (rules.ignores(nameOf(entry.name), isFolder)) walk.onIgnored()
      else if (isFolder) {
        walk.onFolder?.(name)
        if (walk.isShallow === true) continue
        const path = `${folder.path}${entry.name}/`
        below.push({ path, name: `${folder.name}${entry.name}/`, rules: rules.enter(nameOf(entry.name)) })
      } else if (entry.isFile()) yield { path: bytesOf(folder.path + entry.name), name }
      else walk.onSkip(name, entry.isSymbolicLink() ? 'is a link' : 'is not a regular file')
    }
    pending.push(...below.toReversed())
  }
}

interface Folder {
  /** Ends with `/`, like the name. */
  readonly path: string
  readonly name: string
  /** Excludes the folder's own ignore files. */
  readonly rules: IgnoreRules
}

/** The start folder, with the rules of all folders from the root down to it. */
function startOf({ root, folder, ignoreFiles }: TreeWalk): Folder {
  const [top, target] = [latin1Of(withSlash(root)), latin1Of(withSlash(folder))]
  const name = target.slice(top.length)
  const excludes = ignoreFiles.length === 0 ? undefined : readText(`${top}.git/info/exclude`)
  let rules = createIgnoreRules(excludes ?? '')
  let path = top
  for (const step of name.split('/').slice(0, -1)) {
    for (const file of ignoreFiles) rules = rules.add(readText(path + file) ?? '')
    rules = rules.enter(nameOf(step))
    path += `${step}/`
  }
  return { path: target, name, rules }
}

function listFolder({ path, name }: Folder, walk: TreeWalk): Dirent[] {
  try {
    const entries = readdirSync(bytesOf(path), { withFileTypes: true, encoding: 'latin1' })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    walk.onWarning(nameOf(name) || '.', `cannot be opened (${systemErrorCode(error)})`)
    return []
  }
}

/** Adds the ignore files that exist in the folder. */
function readRules({ path, name, rules }: Folder, names: ReadonlySet<string>, walk: TreeWalk): IgnoreRules {
  let all = rules
  for (const file of walk.ignoreFiles) {
    if (!names.has(file)) continue
    const text = readText(path + file)
    if (text !== undefined) all = all.add(text)
    else walk.onWarning(nameOf(name) + file, 'cannot be read as an ignore file and is not applied')
  }
  return all
}

const maxIgnoreFileBytes = 1_048_576

/** The text of a regular file within the size limit; undefined otherwise. */
function readText(path: string): string | undefined {
  let file
  try {
    file = openFile(bytesOf(path))
    return file === undefined || file.size > maxIgnoreFileBytes
      ? undefined
      : file.read(0, file.size).toString()
  } catch {
    return undefined
  } finally {
    file?.close()
  }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

function latin1Of(path: string): string {
  return Buffer.from(path).toString('latin1')
}

function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

function nameOf(path: string): string {
  return bytesOf(path).toString('utf8')
}
