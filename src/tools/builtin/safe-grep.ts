import * as z from 'zod'

import type { ToolHost } from '../../core/ports.ts'
import { answer, invalidArguments } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import { filePath } from '../files/tool-arguments.ts'
import { readFileGlob } from '../search/file-glob.ts'
import type { FileSearch } from '../search/file-search.ts'
import { countOf, searchModes, shownName, type SearchedFile, type SearchPlace } from '../search/search.ts'
import { showLines } from '../search/shown-lines.ts'
import { foundText } from './answer-texts.ts'
import { globExpected } from './safe-glob.ts'

const maxPatternLength = 1000
/** More are behind a narrower search: each is read again with its surroundings. */
const maxShownLines = 500
const maxShownFiles = 1000
const maxContext = 20

const pattern = z
  .string()
  .refine(
    (text) => text !== '' && text.length <= maxPatternLength && !/[\0\n]/.test(text),
    `a regular expression of 1 to ${maxPatternLength} characters, without NUL and line breaks`,
  )
  // It could never match, as lines are searched one by one.
  .refine((text) => !/(?<!\\)(?:\\\\)*\\n/.test(text), 'a pattern for one line, without `\\n`')
const context = z.int().refine((lines) => lines >= 0 && lines <= maxContext, `0 to ${maxContext}`)

export function safeGrep(search: FileSearch): Tool {
  return defineTool({
    name: 'safe_grep',
    description: 'Searches files like ripgrep.',
    input: z.object({
      pattern,
      path: filePath.optional(),
      glob: filePath.optional(),
      context: context.optional(),
      mode: z.enum(searchModes).optional(),
    }),
    needs: ['fs:read'],
    renderText: foundText,
    annotations: { readOnlyHint: true },
    _meta: alwaysLoad,
    async run({ pattern: text, path, glob: source, context: around = 0, mode = 'content' }, host) {
      const glob = source === undefined ? undefined : readFileGlob(source)
      if (source !== undefined && glob === undefined)
        return invalidArguments([{ field: 'glob', expected: globExpected }])
      const place = await search.placeOf(host.call, path)
      const { items, notes } = await search.grep({ pattern: text, context: around, mode }, place, glob)
      const { lines, note } =
        mode === 'content'
          ? await contentOf(items, { place, hasContext: around > 0 }, host)
          : namesOf(items, place, mode === 'count')
      const all = [...notes, ...note]
      return answer({
        found: mode === 'files' ? countOf(items.length, 'file') : totalOf(items),
        ...(all.length > 0 && { note: [...all, narrower].join(' ') }),
        text: lines.map((line) => `${line}\n`).join(''),
      })
    },
  })
}

const narrower = 'To see the rest, narrow the search with path, glob or a longer pattern.'

function totalOf(items: readonly SearchedFile[]): string {
  const lines = items.reduce((sum, { count }) => sum + count, 0)
  return `${countOf(lines, 'line')} in ${countOf(items.length, 'file')}`
}

interface Shown {
  readonly lines: readonly string[]
  readonly note: readonly string[]
}

function namesOf(items: readonly SearchedFile[], place: SearchPlace, withCount: boolean): Shown {
  const lines = items
    .slice(0, maxShownFiles)
    .map(({ name, count }) => `${shownName(name, place)}${withCount ? `:${count}` : ''}`)
  return {
    lines,
    note: items.length > lines.length ? [`Shown are the first ${lines.length} files.`] : [],
  }
}

/** Lines that are not next to each other are separated, as ripgrep does, if they have a context. */
async function contentOf(
  items: readonly SearchedFile[],
  { place, hasContext }: { readonly place: SearchPlace; readonly hasContext: boolean },
  host: ToolHost,
): Promise<Shown> {
  const shown: string[] = []
  let left = maxShownLines
  for (const { name, count, lines } of items) {
    if (left === 0) break
    host.call.signal.throwIfAborted()
    const part = lines.slice(0, left)
    left -= part.length
    const texts = await showLines({ name, count, lines: part }, place, host.scrub)
    for (const [index, text] of texts.entries()) {
      const isApart = index === 0 || part[index - 1]!.number + 1 < part[index]!.number
      if (hasContext && isApart && shown.length > 0) shown.push('--')
      shown.push(text)
    }
  }
  const total = items.reduce((sum, { lines }) => sum + lines.length, 0)
  return { lines: shown, note: total > maxShownLines ? [`Shown are the first ${maxShownLines} lines.`] : [] }
}
