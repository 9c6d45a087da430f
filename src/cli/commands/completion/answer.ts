/**
 * `ctxd __complete`: what the scripts of `ctxd completion` ask. `bash <line> <word>` is answered with words that are ready for
 * the line; `words <word>…` with a word a line, and behind a tab what it means.
 */

import { visibleText } from '../../../platform/visible-text.ts'
import { programFor } from '../../ctxd-program.ts'
import { nameFinder } from '../../known-names.ts'
import { processIo, type CliIo } from '../../ui/output.ts'
import { completeWords, type Completion } from './candidates.ts'
import { quotedFor, readTypedLine } from './shell-line.ts'

/** Asks the shell to go on with files. */
const filesPlease = ':files'

export async function answerShell(
  [way, ...asked]: readonly string[],
  io: CliIo = processIo(),
): Promise<void> {
  let lines: readonly string[]
  try {
    lines = way === 'bash' ? await forBash(asked, io) : await forWords(asked, io)
  } catch {
    // Whatever is wrong, the command itself will say it; here it would stand in the middle of a line.
    return
  }
  io.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

async function forBash([line = '', part = '']: readonly string[], io: CliIo): Promise<string[]> {
  const { words, quote } = readTypedLine(line)
  const [, ...typed] = words
  const { candidates, files } = await complete(typed, io)
  if (files) return [filesPlease]
  // To bash a word without quotes begins anew behind each of these, and only what is behind is replaced.
  const whole = typed.at(-1) ?? ''
  const split = part === whole || quote !== '' ? -1 : Math.max(whole.lastIndexOf(':'), whole.lastIndexOf('='))
  return candidates.flatMap(({ value }) => quotedFor(value.slice(split + 1), quote) ?? [])
}

async function forWords(words: readonly string[], io: CliIo): Promise<string[]> {
  const { candidates, files } = await complete(words, io)
  if (files) return [filesPlease]
  return candidates.map(({ value, description = '' }) =>
    description === '' ? value : `${value}\t${visibleText(description)}`,
  )
}

async function complete(words: readonly string[], io: CliIo): Promise<Completion> {
  // A first word that is still being typed names no command yet.
  const program = await programFor(words.length > 1 ? words : ['--help'])
  return completeWords(program, words, nameFinder(io))
}
