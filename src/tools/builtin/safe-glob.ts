import { closeSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import * as z from 'zod'

import { batches } from '../../core/batches.ts'
import { answer, invalidArguments } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import { find } from '../files/confined-file.ts'
import { filePath } from '../files/tool-arguments.ts'
import { readFileGlob } from '../search/file-glob.ts'
import type { FileSearch } from '../search/file-search.ts'
import { countOf, shownName, type SearchPlace } from '../search/search.ts'
import { foundText } from './answer-texts.ts'

export const globExpected =
  'a glob such as `src/**/*.{ts,tsx}`, with closed brackets and braces; for another folder use `path`'

const maxShownPaths = 1000
/** Looked at without releasing the thread. */
const filesAtOnce = 500

export function safeGlob(search: FileSearch): Tool {
  return defineTool({
    name: 'safe_glob',
    description: 'Finds files, newest first.',
    input: z.object({ pattern: filePath, path: filePath.optional() }),
    needs: ['fs:read'],
    renderText: foundText,
    annotations: { readOnlyHint: true },
    _meta: alwaysLoad,
    async run({ pattern, path }, { call }) {
      const glob = readFileGlob(pattern)
      if (glob === undefined) return invalidArguments([{ field: 'pattern', expected: globExpected }])
      const place = await search.placeOf(call, path)
      const { items, notes } = await search.list(place, glob)
      const sorted = await newestFirst(items, place)
      const shown = await stillThere(sorted.slice(0, maxShownPaths), place)
      const all = sorted.length > maxShownPaths ? [...notes, `Shown are the newest ${maxShownPaths}.`] : notes
      return answer({
        found: countOf(sorted.length, 'file'),
        ...(all.length > 0 && { note: [...all, 'Narrow it with path or a longer pattern.'].join(' ') }),
        text: shown.map((name) => `${shownName(name, place)}\n`).join(''),
      })
    },
  })
}

/** Of the same time, by name. */
async function newestFirst(names: readonly string[], { folder, call }: SearchPlace): Promise<string[]> {
  const dated: { readonly name: string; readonly changed: number }[] = []
  for (const some of batches(names, filesAtOnce)) {
    for (const name of some) {
      const changed = changedAt(join(folder, name))
      if (changed !== undefined) dated.push({ name, changed })
    }
    await nextTurn()
    call.signal.throwIfAborted()
  }
  return dated.sort((a, b) => b.changed - a.changed || (a.name < b.name ? -1 : 1)).map(({ name }) => name)
}

/** Undefined if it is gone, or its folder was closed. */
function changedAt(path: string): number | undefined {
  try {
    return lstatSync(path).mtimeMs
  } catch {
    return undefined
  }
}

/** A folder on the path may have been replaced by a link to a place that the call may not read. */
async function stillThere(names: readonly string[], { folder, access }: SearchPlace): Promise<string[]> {
  const shown: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    const found = await find(path)
    if (found === undefined) continue
    closeSync(found.descriptor)
    if (found.path === path && access.mayRead(path)) shown.push(name)
  }
  return shown
}
