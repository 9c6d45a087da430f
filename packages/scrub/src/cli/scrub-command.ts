/** The command `scrub`: filters secrets out of text. */

import { Option, type Command } from 'commander'

import type { ErrorDetails } from '@contextd/shared/errors/coded-error'
import { CommonError } from '@contextd/shared/errors/common-error'
import type { Scrubbed } from '../engine/scrubbed.ts'
import { losslessBytes, createTextReader } from '@contextd/shared/text/lossless-text'
import type { Scrubber } from '../engine/scrubber.ts'
import { byteOutput, readInput, type ByteOutput } from '@contextd/shared/cli/bytes'
import {
  newCommand,
  note,
  printJson,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import type { ScrubHost } from './host.ts'

interface Options extends JsonOption {
  readonly jsonl?: true
  readonly decode: boolean
  readonly config?: string
}

/** One scope for the whole input: a secret found in one place is masked everywhere. */
const scope = { tenant: 'local', session: 'cli' }

export function createScrubCommand(host: ScrubHost, io: CliIo = processIo()): Command {
  return newCommand('scrub', 'replace secrets in text with tokens', `cat app.log | ${host.program}`)
    .argument('[file]', 'the text; stdin by default', '-')
    .addOption(
      new Option('--jsonl', 'one object with a string `text` per line; findings are added to each').conflicts(
        'json',
      ),
    )
    .option('--no-decode', 'do not detect encoded secrets (base64, hex and the like)')
    .option('--config <file>', 'additional rules in gitleaks format')
    .action((file: string, options: Options) => scrubInput(file, options, host, io))
}

async function scrubInput(file: string, options: Options, host: ScrubHost, io: CliIo): Promise<void> {
  const { scrubber, warnings } = await host.openScrubber({
    env: io.env,
    cwd: io.cwd,
    decode: options.decode,
    ...(options.config !== undefined && { rulesFile: options.config }),
  })
  for (const warning of warnings) note(warning, io)
  const input = readInput(file, io)
  if (options.jsonl) await scrubLines(input, scrubber, byteOutput(io))
  else if (options.json) printJson(await scrubWhole(input, scrubber), io)
  else await scrubStream(input, scrubber, byteOutput(io))
}

async function scrubStream(
  input: AsyncIterable<Uint8Array>,
  scrubber: Scrubber,
  output: ByteOutput,
): Promise<void> {
  for await (const { text } of piecesOf(input, scrubber)) {
    await output.write(losslessBytes(text))
    if (output.isCut) return
  }
}

async function scrubWhole(input: AsyncIterable<Uint8Array>, scrubber: Scrubber): Promise<Scrubbed> {
  const pieces: Scrubbed[] = []
  for await (const piece of piecesOf(input, scrubber)) pieces.push(piece)
  return {
    text: pieces.map(({ text }) => text).join(''),
    findings: pieces.flatMap(({ findings }) => findings),
  }
}

async function* piecesOf(input: AsyncIterable<Uint8Array>, scrubber: Scrubber): AsyncGenerator<Scrubbed> {
  const reader = createTextReader()
  const stream = scrubber.stream(scope.session)
  for await (const bytes of input) {
    const text = reader.read(bytes)
    yield orFail(() => stream.write(text))
  }
  yield orFail(() => stream.write(reader.end()))
  yield orFail(() => stream.end())
}

/** Longer strings do not exist in JavaScript, and the scrubbed line must fit too. */
const maxLineLength = 1 << 28

async function scrubLines(
  input: AsyncIterable<Uint8Array>,
  scrubber: Scrubber,
  output: ByteOutput,
): Promise<void> {
  const { scrubJsonLine } = await import('./json-line.ts')
  const scrubString = caching((text, key) => scrubber.scrub(text, scope, key))
  const reader = createTextReader()
  let number = 0
  let partialLine: string[] = []
  let partialLength = 0

  const scrubLine = (line: string): string => {
    number++
    if (/^\s*$/.test(line)) return line
    const scrubbed = orFail(() => scrubJsonLine(line, scrubString), { line: number })
    if (scrubbed === undefined) throw badLine(number, 'is not a JSON object with a string `text`')
    return scrubbed
  }
  /** Scrubs the lines that are complete now. They are written even if a later one fails. */
  const advance = async (text: string): Promise<void> => {
    let scrubbed = ''
    let from = 0
    try {
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        partialLine.push(text.slice(from, end))
        const line = partialLine.join('')
        partialLine = []
        partialLength = 0
        from = end + 1
        scrubbed += `${scrubLine(line)}\n`
      }
    } finally {
      await output.write(losslessBytes(scrubbed))
    }
    partialLine.push(text.slice(from))
    partialLength += text.length - from
    if (partialLength > maxLineLength) throw badLine(number + 1, `has more than ${maxLineLength} characters`)
  }
  for await (const bytes of input) {
    await advance(reader.read(bytes))
    if (output.isCut) return
  }
  await advance(reader.end())
  await output.write(losslessBytes(scrubLine(partialLine.join(''))))
}

type ScrubString = (text: string, key?: string) => Scrubbed

/** Longer values are not worth the memory: they rarely repeat. */
const maxCachedLength = 64
const maxCached = 10_000

/** Lines share keys and many short values. A clean value stays clean until another secret becomes known. */
function caching(scrub: ScrubString): ScrubString {
  const clean = new Map<string | undefined, Set<string>>()
  let cached = 0
  return (text, key) => {
    const isShort = text.length <= maxCachedLength
    if (isShort && clean.get(key)?.has(text) === true) return { text, findings: [] }
    const scrubbed = scrub(text, key)
    if (scrubbed.findings.length > 0 || cached === maxCached) {
      clean.clear()
      cached = 0
    } else if (isShort) {
      const values = clean.get(key) ?? new Set()
      clean.set(key, values.add(text))
      cached++
    }
    return scrubbed
  }
}

function badLine(line: number, problem: string): CommonError {
  return new CommonError('PARSE_ERROR', {
    what: `line ${line} ${problem}`,
    line,
    hint: 'Write one object such as {"text": "…"} per line. Earlier lines were scrubbed; no part of this one was printed.',
  })
}

/** Unchecked input is not printed, and the error contains none of it. */
function orFail<T>(work: () => T, details: ErrorDetails = {}): T {
  try {
    return work()
  } catch (error) {
    const hint =
      'Unchecked input is never printed. If it took too long, pass less text at once, or raise `scrub.deadline_ms` in contextd.'
    throw new CommonError('SCRUB_FAILED', { hint, ...details }, { cause: error })
  }
}
