/** `ctxd memory`: manage what agents learned, as the user it belongs to. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { memoryScopes } from '../../../core/memory-scope.ts'
import { outcomes } from '../../../memory/bank/memory.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { wholeNumber } from '@contextd/shared/cli/whole-number'
import { openInEditor } from '../../support/open-editor.ts'
import { add, type AddArguments } from './add.ts'
import { edit, merge, removeMemory, type EditArguments, type Editor } from './change.ts'
import { get, list, search, type ListArguments, type SearchOptions } from './look.ts'
import { exportAll, exportFormats, importAll, type ExportArguments, type ImportArguments } from './move.ts'
import { reembedAll } from './reembed.ts'

export function memoryCommand(io: CliIo = processIo(), editor: Editor = openInEditor): Command {
  return newGroup(
    'memory',
    'add, search, edit, export and import memories',
    'ctxd memory search "flaky tests"',
  )
    .addCommand(addCommand(io))
    .addCommand(listCommand(io))
    .addCommand(searchCommand(io))
    .addCommand(getCommand(io))
    .addCommand(editCommand(io, editor))
    .addCommand(deleteCommand(io))
    .addCommand(mergeCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(importCommand(io))
    .addCommand(reembedCommand(io))
}

function addCommand(io: CliIo): Command {
  return newCommand(
    'add',
    'store a memory of your own',
    'ctxd memory add "Run the tests with TZ=UTC" --tags tests',
  )
    .argument('[text...]', 'the text; - for stdin')
    .option('--file <file>', 'read the text from a file; - for stdin')
    .option('--title <text>', 'title; the beginning of the text by default')
    .option('--description <text>', 'when to use it, and when not; the beginning of the text by default')
    .addOption(outcomeOption('what the text describes: what worked, or what failed').default('success'))
    .option('--task <text>', 'the task it came from')
    .option('--tags <list>', 'tags, comma-separated', tagList)
    .addOption(
      new Option('--scope <scope>', 'for this project, or for all your projects')
        .choices(['project', 'user'])
        .default('project'),
    )
    .action((words: string[], options: AddArguments) => add(words, options, io))
}

function listCommand(io: CliIo): Command {
  return filtered(newCommand('list', 'list memories, newest first', 'ctxd memory list --outcome failure'))
    .option('--project <path>', 'only memories of this project')
    .option('--merged', 'include memories merged into others')
    .option('-n, --limit <count>', 'maximum number of memories', count, 20)
    .option('--after <place>', 'continue after the previous page', count)
    .action((options: ListArguments) => list(options, io))
}

function searchCommand(io: CliIo): Command {
  return filtered(
    newCommand(
      'search',
      'search memories by words and meaning',
      'ctxd memory search "tests that fail now and then"',
    ),
  )
    .argument('<words...>', 'search text')
    .option('--min-confidence <share>', 'minimum confidence, from 0 to 1', share)
    .option('-n, --limit <count>', 'maximum number of memories', count, 10)
    .action((words: string[], options: SearchOptions) => search(words, options, io))
}

function getCommand(io: CliIo): Command {
  return newCommand('get', 'show everything about memories', 'ctxd memory get mem_x4k2hq9d7m3a')
    .argument('<id...>', 'IDs shown by `list`')
    .action((ids: string[], options: JsonOption) => get(ids, options, io))
}

function editCommand(io: CliIo, editor: Editor): Command {
  return newCommand(
    'edit',
    'edit a memory, in your editor or with options',
    'ctxd memory edit mem_x4k2hq9d7m3a --tags tests,flaky',
  )
    .argument('<id>', 'ID shown by `list`')
    .option('--title <text>', 'new title')
    .option('--description <text>', 'when to use it, and when not')
    .option('--content <text>', 'the text')
    .addOption(outcomeOption('outcome of the task'))
    .option('--task <text>', 'the task it came from')
    .option('--tags <list>', 'all its tags, comma-separated', tagList)
    .addOption(
      new Option('--scope <scope>', 'for its project, or for all your projects').choices(['project', 'user']),
    )
    .option('--file <file>', 'replace all of it from a Markdown file; - for stdin')
    .action((id: string, options: EditArguments) => edit(id, options, io, editor))
}

function deleteCommand(io: CliIo): Command {
  return newCommand('delete', 'delete memories permanently', 'ctxd memory delete mem_x4k2hq9d7m3a')
    .argument('<id...>', 'IDs shown by `list`')
    .option('--yes', 'skip the confirmation')
    .action((ids: string[], options: JsonOption & { yes?: true }) => removeMemory(ids, options, io))
}

function mergeCommand(io: CliIo): Command {
  return newCommand(
    'merge',
    'merge duplicates into one memory; nothing is deleted',
    'ctxd memory merge mem_x4k2hq9d7m3a mem_p8w3zt6c5n2b',
  )
    .argument('<into>', 'the memory that search returns')
    .argument('<id...>', 'the memories it replaces in search')
    .action((into: string, ids: string[], options: JsonOption) => merge(into, ids, options, io))
}

function exportCommand(io: CliIo): Command {
  return filtered(
    newCommand(
      'export',
      'export memories as JSON lines, or as Markdown files in a folder',
      'ctxd memory export > memories.jsonl',
    ),
  )
    .argument('[path]', 'file or folder to write (JSON lines: stdout by default)')
    .option('--project <path>', 'only memories of this project')
    .addOption(new Option('--format <format>', 'output format').choices(exportFormats).default('jsonl'))
    .action((path: string | undefined, options: ExportArguments) => exportAll(path, options, io))
}

function importCommand(io: CliIo): Command {
  return newCommand(
    'import',
    'import the output of `export`, or any Markdown files, one memory per section; existing memories are kept',
    'ctxd memory import notes.md --dry-run',
  )
    .argument('<path...>', 'JSON lines files, Markdown files or folders of them; - for stdin')
    .option('--replace', 'overwrite existing memories that differ')
    .option('--project <path>', 'assign them to this project, overriding the files')
    .option('--dry-run', 'only report what would happen')
    .action((paths: string[], options: ImportArguments) => importAll(paths, options, io))
}

function reembedCommand(io: CliIo): Command {
  return newCommand(
    'reembed',
    'embed memories that have no vector of the current embedder',
    'ctxd memory reembed',
  )
    .option('--all', 'also those that already have one')
    .action((options: JsonOption & { all?: true }) => reembedAll(options, io))
}

function filtered(command: Command): Command {
  return command
    .addOption(
      new Option('--scope <scope>', 'current project, your memories for every project, or all')
        .choices(memoryScopes)
        .default('all'),
    )
    .addOption(outcomeOption('only from tasks with this outcome'))
    .option('--tag <tag>', 'only with this tag')
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
