/**
 * `ctxd __complete`: called by the scripts of `ctxd completion` for each of our programs. `bash <line> <word>` prints
 * words quoted for the line; `words <program> <word>…` prints one word per line, followed by a tab and its description.
 */

import { basename } from 'node:path'
import type { Command } from 'commander'

import { visibleText } from '@contextd/shared/text/visible-text'
import { nameFinder } from '../../support/known-names.ts'
import { processIo, type CliIo } from '@contextd/shared/cli/output'
import { completeWords, type Completion } from './candidates.ts'
import { completableProxy } from './proxy-program.ts'
import { quotedFor, readTypedLine } from './shell-line.ts'

/** Asks the shell to complete file names. */
const fileCompletionMarker = ':files'

/** Loads the program with the command that these words begin with. */
type LoadProgram = (words: readonly string[]) => Promise<Command>

export async function answerShell(
  [mode, ...asked]: readonly string[],
  loadProgram: LoadProgram,
  io: CliIo = processIo(),
): Promise<void> {
  let lines: readonly string[]
  try {
    lines = mode === 'bash' ? await forBash(asked, loadProgram, io) : await forWords(asked, loadProgram, io)
  } catch {
    // The command itself reports errors; here they would appear in the middle of the user's line.
    return
  }
  io.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

async function forBash(
  [line = '', part = '']: readonly string[],
  loadProgram: LoadProgram,
  io: CliIo,
): Promise<string[]> {
  const { words, quote } = readTypedLine(line)
  const { candidates, files } = await complete(words, loadProgram, io)
  if (files) return [fileCompletionMarker]
  // Bash starts a new unquoted word after each of these, and replaces only what follows.
  const lastWord = words.at(-1) ?? ''
  const split =
    part === lastWord || quote !== '' ? -1 : Math.max(lastWord.lastIndexOf(':'), lastWord.lastIndexOf('='))
  return candidates.flatMap(({ value }) => quotedFor(value.slice(split + 1), quote) ?? [])
}

async function forWords(words: readonly string[], loadProgram: LoadProgram, io: CliIo): Promise<string[]> {
  const { candidates, files } = await complete(words, loadProgram, io)
  if (files) return [fileCompletionMarker]
  return candidates.map(({ value, description = '' }) =>
    description === '' ? value : `${value}\t${visibleText(description)}`,
  )
}

async function complete(
  [program = '', ...words]: readonly string[],
  loadProgram: LoadProgram,
  io: CliIo,
): Promise<Completion> {
  const findNames = nameFinder(io)
  const isProxy = basename(program) === 'contextd-proxy'
  return completeWords(
    isProxy ? completableProxy(await findNames('tools')) : await loadProgram(words),
    words,
    findNames,
  )
}
