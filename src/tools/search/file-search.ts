/** Chooses the engine of each search, and returns only what the caller may read. */

import { closeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import type { Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { find, notGranted, requireRegular } from '../files/confined-file.ts'
import type { FileTools } from '../files/file-tools.ts'
import { isInFolder } from '../files/path-pattern.ts'
import type { FileGlob } from './file-glob.ts'
import { plainSearch } from './plain-search.ts'
import { ripgrepFor, type RipgrepOptions } from './ripgrep.ts'
import type { SearchedFile, SearchEngine, SearchFound, SearchPlace, SearchQuery } from './search.ts'

export interface FileSearchOptions extends Omit<RipgrepOptions, 'program'> {
  readonly sandbox: Pick<Sandbox, 'run' | 'state'>
  readonly files: FileTools
  /** The path of ripgrep; undefined if it is not installed. */
  readonly findProgram: () => Promise<string | undefined>
}

export interface FileSearch {
  /** A folder or file; the workspace by default. Refuses what the call may not read. */
  placeOf(call: Call, path: string | undefined): Promise<SearchPlace>
  /** Sorted by name. */
  list(place: SearchPlace, glob: FileGlob): Promise<SearchFound<string>>
  /** Sorted by name. */
  grep(
    query: Omit<SearchQuery, 'namePattern'>,
    place: SearchPlace,
    glob?: FileGlob,
  ): Promise<SearchFound<SearchedFile>>
}

export function createFileSearch(options: FileSearchOptions): FileSearch {
  const { sandbox, files, findProgram } = options
  let finding: Promise<string | undefined> | undefined
  const findUsable = async (): Promise<string | undefined> => {
    const state = await sandbox.state()
    return state.available && state.driver !== 'none' ? findProgram() : undefined
  }
  const search = async <T>(place: SearchPlace, run: (engine: SearchEngine) => Promise<T>): Promise<T> => {
    const program = await (finding ??= findUsable())
    // In what ripgrep prints, a line break ends the name.
    const isReadable = place.file?.includes('\n') !== true
    const ripgrep =
      program !== undefined && isReadable ? ripgrepFor({ ...options, program }, place) : undefined
    if (ripgrep === undefined) return run(plainSearch)
    try {
      return await run(ripgrep)
    } catch (error) {
      if (!(error instanceof ContextdError && error.code === 'SANDBOX_UNAVAILABLE')) throw error
      return run(plainSearch)
    }
  }
  return {
    placeOf: (call, path) => findPlace(files, call, path),
    async list(place, glob) {
      const { items, notes } = await search(place, (engine) => engine.list(place, glob.namePattern))
      return { notes, items: items.filter((name) => isWanted(name, place, glob)).sort(byText) }
    },
    async grep(query, place, glob) {
      const named = { ...query, ...(glob?.namePattern !== undefined && { namePattern: glob.namePattern }) }
      const { items, notes } = await search(place, (engine) => engine.grep(named, place))
      const wanted = items.filter(({ name }) => isWanted(name, place, glob))
      return { notes, items: wanted.sort((a, b) => byText(a.name, b.name)) }
    },
  }
}

async function findPlace(files: FileTools, call: Call, path: string | undefined): Promise<SearchPlace> {
  const access = files.accessFor(call)
  const { workspace } = access
  const found = await find(path === undefined ? workspace : files.pathOf(path, access))
  if (found === undefined) throw notGranted(access, 'read')
  closeSync(found.descriptor)
  if (found.path !== workspace && !access.mayRead(found.path)) throw notGranted(access, 'read')
  const isFolder = found.stat.isDirectory()
  if (!isFolder) requireRegular(found.stat)
  const folder = isFolder ? found.path : dirname(found.path)
  return {
    call,
    access,
    folder,
    ...(!isFolder && { file: basename(found.path) }),
    isInWorkspace: isInFolder(folder, workspace),
  }
}

function isWanted(name: string, { access, folder }: SearchPlace, glob: FileGlob | undefined): boolean {
  return glob?.matches(name) !== false && access.mayRead(join(folder, name))
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1
}
