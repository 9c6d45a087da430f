/** `ctxd query`: searches a repository. */

import { resolve } from 'node:path'

import type { Command } from 'commander'

import type { ChunkMatch } from '../../compose/memory/repository.ts'
import { visibleText } from '@contextd/shared/text/visible-text'
import {
  newCommand,
  note,
  paint,
  printJson,
  printLine,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { progressLine } from '@contextd/shared/cli/progress'
import { wholeNumber } from '@contextd/shared/cli/whole-number'
import { withRuntime } from '../support/with-runtime.ts'

interface Options extends JsonOption {
  readonly in?: string
  readonly path?: string
  readonly limit: number
}

export function queryCommand(io: CliIo = processIo()): Command {
  return newCommand(
    'query',
    'search a repository by words and meaning',
    'ctxd query "where are tokens refreshed"',
  )
    .argument('<words...>', 'search text')
    .option('--in <folder>', 'the repository; current directory by default')
    .option('--path <pattern>', 'only files matching this, such as src or "**/*.md"')
    .option('-n, --limit <count>', 'maximum number of matches', wholeNumber(1, 100), 5)
    .action((words: string[], options: Options) => query(words.join(' '), options, io))
}

function query(text: string, { in: folder = '.', path, limit, json }: Options, io: CliIo): Promise<void> {
  return withRuntime(io, async ({ memory }) => {
    const [{ pathFilter }, repository] = await Promise.all([
      import('../../compose/memory/repository.ts'),
      memory.repository(),
    ])
    const view = repository.operatorView(resolve(io.cwd, folder))
    const line = progressLine(io, 'file')
    const before = await repository.current
      .refresh(view.workspace, {
        deadline: Infinity,
        signal: new AbortController().signal,
        onProgress: ({ done, total, path: now }) => line.show({ done, total, now }),
      })
      .finally(line.clear)
    const { matches, hasMore, notes } = await repository.index.find({
      text,
      limit,
      view,
      ...(path !== undefined && { only: pathFilter(path, view.workspace) }),
    })
    for (const text of [...before, ...notes]) note(text, io)
    if (json) return printJson({ matches: matches.map(toJson), more: hasMore }, io)
    if (matches.length === 0) return printLine('No matches.', io)
    for (const match of matches) printMatch(match, io)
    if (hasMore) note(`more matches exist; use --limit ${limit * 2}`, io)
  })
}

function toJson({ path, name, firstLine, lastLine, lines, score }: ChunkMatch): object {
  return {
    path,
    first_line: firstLine,
    last_line: lastLine,
    name,
    score: Number(score.toFixed(3)),
    lines: lines.map(({ number, text }) => ({ line: number, text })),
  }
}

function printMatch({ path, name, firstLine, lastLine, lines }: ChunkMatch, io: CliIo): void {
  const place = paint(io, 'bold', visibleText(`${path}:${firstLine}-${lastLine}`))
  io.stdout.write(`${place}${name === '' ? '' : ` ${visibleText(name)}`}\n`)
  for (const { number, text } of lines.slice(0, shownLines))
    printLine(`${String(number).padStart(6)}  ${text}`, io)
}

const shownLines = 5
