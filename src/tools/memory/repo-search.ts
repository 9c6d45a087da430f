import * as z from 'zod'

import { CodedError } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import type { ChunkMatch, RepositoryView } from '../../memory/repository/find.ts'
import type { IndexRefresher } from '../../memory/repository/index-refresher.ts'
import type { RepositoryIndex } from '../../memory/repository/repository-index.ts'
import { defineTool } from '../define-tool.ts'
import { openForRead, type FileAccess } from '../files/confined-file.ts'
import type { FileTools } from '../files/file-tools.ts'
import { filePath } from '../files/tool-arguments.ts'
import { onLines, shownValue, quoted, remark } from '../text-parts.ts'
import { pathFilter } from './path-filter.ts'

export interface RepoSearchParts {
  readonly index: Pick<RepositoryIndex, 'find'>
  readonly current: IndexRefresher
  readonly files: Pick<FileTools, 'accessFor'>
  readonly count: CountTokens
}

const query = z
  .string()
  .refine((text) => text.trim() !== '' && text.length <= 2000, 'a question or words, of 1 to 2000 characters')

const usualLimit = 5
const maxMatches = 20
/** Indexing this many takes long enough to report progress. */
const manyFiles = 100
/** Per result. */
const maxAnswerTokens = 450
/** The highest configurable file size for indexing. */
const maxFileBytes = 64 * 1_048_576

/** Opened on first use, so that sessions that do not search need not wait for it. */
export function repoSearch(open: () => Promise<RepoSearchParts>): Tool {
  return defineTool({
    name: 'repo_search',
    description: 'Searches the project by words and meaning.',
    input: z.object({ query, path: filePath.optional(), limit: z.int().optional() }),
    needs: ['fs:read'],
    maxTokens: 500,
    renderText: matchesText,
    annotations: { readOnlyHint: true },
    async run({ query: text, path, limit = usualLimit }, { call, progress }) {
      const { index, current, files, count } = await open()
      const access = files.accessFor(call)
      const before = await current.refresh(access.workspace, {
        deadline: call.deadline,
        signal: call.signal,
        onProgress({ done, total }) {
          // In tenths: the number of files may be confidential.
          const tenths = Math.floor((done * 10) / total)
          if (total >= manyFiles && tenths > Math.floor(((done - 1) * 10) / total))
            progress({ progress: tenths, total: 10, message: 'indexing' })
        },
      })
      const { matches, hasMore, notes } = await index.find({
        text,
        limit: Math.min(Math.max(limit, 1), maxMatches),
        view: viewOf(access),
        signal: call.signal,
        ...(path !== undefined && { only: pathFilter(path, access.workspace) }),
      })
      return answer(fitMatches(matches, { hasMore, notes: [...before, ...notes] }, count))
    },
  })
}

/** Applies the same access checks as safe_read. */
function viewOf(access: FileAccess): RepositoryView {
  return {
    workspace: access.workspace,
    mayRead: access.mayRead,
    async read(path) {
      try {
        const file = await openForRead(path, access)
        try {
          const { size, ctimeMs } = file.stat
          // A link has replaced the file: its target was never indexed.
          if (file.path !== path || size > maxFileBytes) return undefined
          return { bytes: await file.read(0, size), size, changedMs: ctimeMs }
        } finally {
          file.close()
        }
      } catch (error) {
        if (error instanceof CodedError) return undefined
        throw error
      }
    },
  }
}

interface Besides {
  readonly hasMore: boolean
  readonly notes: readonly string[]
}

/** As many lines of each match as fit, and fewer matches if one line of each is too much. */
function fitMatches(
  matches: readonly ChunkMatch[],
  { hasMore, notes }: Besides,
  count: CountTokens,
): JsonObject {
  const build = (shown: number, lines: number): JsonObject => ({
    matches: matches.slice(0, shown).map((match) => shownMatch(match, lines)),
    ...((hasMore || shown < matches.length) && { more: true }),
    ...(matches.length === 0 && { note: 'No file that you may read matches.' }),
    ...(notes.length > 0 && { notes: notes.slice(0, 2).map((note) => note.slice(0, 200)) }),
  })
  const fits = (data: JsonObject): boolean => count(JSON.stringify(data)) <= maxAnswerTokens
  for (const lines of [8, 5, 3, 2, 1]) {
    const data = build(matches.length, lines)
    if (fits(data)) return data
  }
  for (let shown = matches.length - 1; shown > 1; shown--) {
    const data = build(shown, 1)
    if (fits(data)) return data
  }
  return build(1, 0)
}

/** The place of each match, with its lines below it. */
function matchesText({ matches, more, note, notes }: JsonObject): string {
  const shown = Array.isArray(matches) ? matches.filter(isJsonObject) : []
  return onLines([
    ...shown.flatMap(({ path, lines, name, text }) => [
      `${shownValue(path)}:${shownValue(lines)}${name === undefined ? '' : ` ${shownValue(name)}`}`,
      quoted(text),
    ]),
    more === true ? remark('there are more') : '',
    remark(note),
    ...(Array.isArray(notes) ? notes.map(remark) : []),
  ])
}

function shownMatch({ path, name, firstLine, lastLine, lines }: ChunkMatch, maxLines: number): JsonObject {
  return {
    path,
    lines: `${firstLine}-${lastLine}`,
    ...(name !== '' && { name: name.slice(0, 100) }),
    ...(maxLines > 0 && {
      text: lines
        .slice(0, maxLines)
        .map(({ number, text }) => `${number}: ${text}`)
        .join('\n'),
    }),
  }
}
