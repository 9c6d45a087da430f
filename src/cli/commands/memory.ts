/** `ctxd memory`: what agents learned, under the hands of the person it belongs to. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { outcomes } from '../../compose/memory-files.ts'
import { memoryScopes } from '../../core/memory-scope.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '../ui/output.ts'
import { wholeNumber } from '../ui/whole-number.ts'
import { edit, merge, openInEditor, removeMemory, type EditArguments, type Editor } from './memory/change.ts'
import { get, list, search, type ListArguments, type SearchOptions } from './memory/look.ts'
import {
  exportAll,
  exportFormats,
  importAll,
  type ExportArguments,
  type ImportArguments,
} from './memory/move.ts'
import { reembedAll } from './memory/reembed.ts'

export function memoryCommand(io: CliIo = processIo(), editor: Editor = openInEditor): Command {
  return newGroup('memory', 'what agents learned', 'ctxd memory search "flaky tests"')
    .addCommand(
      filtered(
        newCommand('list', 'the memories there are, newest first', 'ctxd memory list --outcome failure'),
      )
        .option('--project <path>', 'of this project')
        .option('--merged', 'also those that were merged into others')
        .option('-n, --limit <count>', 'at most so many', count, 20)
        .option('--after <place>', 'go on where the last page ended', count)
        .action((options: ListArguments) => list(options, io)),
    )
    .addCommand(
      filtered(
        newCommand(
          'search',
          'memories that fit these words or mean the same',
          'ctxd memory search "tests that fail now and then"',
        ),
      )
        .argument('<words...>', 'what to look for')
        .option('--min-confidence <share>', 'leave out what is trusted less, from 0 to 1', share)
        .option('-n, --limit <count>', 'at most so many', count, 10)
        .action((words: string[], options: SearchOptions) => search(words, options, io)),
    )
    .addCommand(
      newCommand('get', 'everything about these memories', 'ctxd memory get mem_x4k2hq9d7m3a')
        .argument('<id...>', 'as `list` shows them')
        .action((ids: string[], options: JsonOption) => get(ids, options, io)),
    )
    .addCommand(
      newCommand(
        'edit',
        'change a memory: in your editor, or by what you say here',
        'ctxd memory edit mem_x4k2hq9d7m3a --tags tests,flaky',
      )
        .argument('<id>', 'as `list` shows it')
        .option('--title <text>', 'a new title')
        .option('--description <text>', 'when to use it, and when not')
        .option('--content <text>', 'what it says')
        .addOption(outcomeOption('how the task ended'))
        .option('--task <text>', 'the task it came from')
        .option('--tags <list>', 'all its tags, with commas between them', tagList)
        .addOption(
          new Option('--scope <scope>', 'for its project, or for all of yours').choices(['project', 'user']),
        )
        .option('--file <file>', 'take all of it from a Markdown file; - for what is piped in')
        .action((id: string, options: EditArguments) => edit(id, options, io, editor)),
    )
    .addCommand(
      newCommand('delete', 'remove memories for good', 'ctxd memory delete mem_x4k2hq9d7m3a')
        .argument('<id...>', 'as `list` shows them')
        .option('--yes', 'do not ask')
        .action((ids: string[], options: JsonOption & { yes?: true }) => removeMemory(ids, options, io)),
    )
    .addCommand(
      newCommand(
        'merge',
        'let one memory stand for others that say the same; nothing is deleted',
        'ctxd memory merge mem_x4k2hq9d7m3a mem_p8w3zt6c5n2b',
      )
        .argument('<into>', 'the one that stays in searches')
        .argument('<id...>', 'those it stands for from now on')
        .action((into: string, ids: string[], options: JsonOption) => merge(into, ids, options, io)),
    )
    .addCommand(
      filtered(
        newCommand(
          'export',
          'all memories as JSON lines, or as Markdown files in a folder',
          'ctxd memory export > memories.jsonl',
        ),
      )
        .argument('[path]', 'the file or folder to write; JSON lines go to stdout without it')
        .option('--project <path>', 'of this project')
        .addOption(
          new Option('--format <format>', 'how they are written').choices(exportFormats).default('jsonl'),
        )
        .action((path: string | undefined, options: ExportArguments) => exportAll(path, options, io)),
    )
    .addCommand(
      newCommand(
        'import',
        'take in what `export` wrote, or Markdown files of your own; what is there already is left alone',
        'ctxd memory import memories.jsonl --dry-run',
      )
        .argument(
          '<path...>',
          'files of JSON lines, Markdown files or folders of them; - for what is piped in',
        )
        .option('--replace', 'overwrite memories that are here in other words')
        .option('--project <path>', 'they belong to this project, whatever the files say')
        .option('--dry-run', 'only say what would happen')
        .action((paths: string[], options: ImportArguments) => importAll(paths, options, io)),
    )
    .addCommand(
      newCommand(
        'reembed',
        'give memories that have none a vector of the embedder in use',
        'ctxd memory reembed',
      )
        .option('--all', 'also those that have one')
        .action((options: JsonOption & { all?: true }) => reembedAll(options, io)),
    )
}

function filtered(command: Command): Command {
  return command
    .addOption(
      new Option('--scope <scope>', 'of the project you are in, those of yours for every project, or all')
        .choices(memoryScopes)
        .default('all'),
    )
    .addOption(outcomeOption('of tasks that ended so'))
    .option('--tag <tag>', 'that have this tag')
}

function outcomeOption(description: string): Option {
  return new Option('--outcome <outcome>', description).choices(outcomes)
}

function tagList(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

const count = wholeNumber(1, 1_000_000_000)

function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return value
}
