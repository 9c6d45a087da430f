/** Command output: results on stdout, everything else on stderr, exit codes from the error catalogue. */

import { StringDecoder } from 'node:string_decoder'
import { styleText } from 'node:util'
import { Command, CommanderError } from 'commander'

import { CodedError, fieldLines } from '../errors/coded-error.ts'
import { CommonError, commonErrors } from '../errors/common-error.ts'
import { nearest } from '../text/nearest.ts'
import type { Terminal } from '../operator.ts'
import { escapeHidden, terminalText, visibleText, type TerminalStyle } from '../text/visible-text.ts'
import { cutToWidth, padText, textWidth, wrapText } from './text-width.ts'

export interface OutputStream {
  /** Returns false if the caller should wait for `drain`. */
  write(data: string | Uint8Array): unknown
  on?(event: 'error' | 'drain', listener: (error: NodeJS.ErrnoException) => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The environment of a command. */
export interface CliIo {
  /** Standard input; by default that of the process. */
  readonly stdin?: AsyncIterable<Uint8Array>
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  setExitCode(code: number): void
  /** Opens the terminal for operator prompts; by default the controlling terminal. */
  readonly openTerminal?: () => Terminal | undefined
}

export function processIo(): CliIo {
  return {
    stdout: fitForTerminal(process.stdout),
    stderr: fitForTerminal(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    setExitCode(code) {
      process.exitCode = code
    },
  }
}

/** Escapes output to a terminal, in case a command prints untrusted text. Pipes and files receive it unchanged. */
export function fitForTerminal(stream: OutputStream): OutputStream {
  if (stream.isTTY !== true) return stream
  const decoder = new StringDecoder()
  return {
    isTTY: true,
    get columns() {
      return stream.columns ?? 0
    },
    write: (data) =>
      stream.write(terminalText(typeof data === 'string' ? data : decoder.write(Buffer.from(data)))),
    on: (event, listener) => stream.on?.(event, listener),
  }
}

/** A command with subcommands and an example in its help. */
export function newGroup(name: string, description: string, example: string): Command {
  return new Command(name).description(description).addHelpText('after', `\nExample:\n  ${example}`)
}

/** Options of every command created by `newCommand`. */
export interface JsonOption {
  readonly json?: true
}

/** A command with `--json` and an example in its help. */
export function newCommand(name: string, description: string, example: string): Command {
  return newGroup(name, description, example).option('--json', 'print JSON')
}

/** Runs a program. The single place that reports usage errors, refusals and failures. */
export async function runCli(
  program: Command,
  io: CliIo = processIo(),
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  let acting = program
  redirectOutput(program, io, (command) => (acting = command))
  program.hook('preAction', (_, command) => void (acting = command))
  const end = argv.indexOf('--')
  const json = argv.slice(0, end === -1 ? undefined : end).includes('--json')
  let isCut = false
  io.stdout.on?.('error', ({ code }) => {
    // EPIPE means that the reader closed the pipe. Every further write fails too, so report only the first.
    if (code !== 'EPIPE' && !isCut) fail(unwritable(code), { json }, io)
    isCut = true
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(withCommand(error, acting), { json }, io)
    else if (/^commander\.(?:help|version)/.test(error.code)) {
      io.setExitCode(error.exitCode === 0 ? 0 : commonErrors.USAGE.exit)
    } else fail(withCommand(new CommonError('USAGE', { problem: usageProblem(error) }), acting), { json }, io)
  }
}

/** For errors whose hint names the command that failed. */
function withCommand(error: unknown, command: Command): unknown {
  if (!(error instanceof CodedError) || error.toObject().hint !== undefined) return error
  return new CodedError(error.code, error.entry, { command: lineOf(command), ...error.details })
}

/** As users type it. */
function lineOf(command: Command): string {
  return command.parent === null ? command.name() : `${lineOf(command.parent)} ${command.name()}`
}

/** Commander suggests commands and options by itself, but not the values of a choice. */
function usageProblem({ message }: CommanderError): string {
  const problem = message.replace(/^error: /, '')
  const [reason = '', choices] = problem.split(' Allowed choices are ')
  const [, given] = /'([^']*)' is invalid/.exec(reason) ?? []
  const suggestion =
    given === undefined ? undefined : nearest(given, choices?.replace(/\.$/, '').split(', ') ?? [])
  return suggestion === undefined ? problem : `${problem}\n(Did you mean ${suggestion}?)`
}

function unwritable(code = 'unknown'): CommonError {
  return new CommonError('STORE_UNAVAILABLE', {
    cause: `the output could not be written (${code})`,
    hint: 'Free space where the output goes, or send it elsewhere.',
  })
}

function redirectOutput(command: Command, io: CliIo, onError: (command: Command) => void): void {
  const override = (error: CommanderError): never => {
    onError(command)
    throw error
  }
  command.exitOverride(override).configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
    outputError: () => {},
  })
  for (const child of command.commands) redirectOutput(child, io, onError)
}

/** Prints the error and sets its exit code from the catalogue. */
export function fail(error: unknown, { json = false }: { json?: boolean }, io: CliIo = processIo()): void {
  const coded =
    error instanceof CodedError
      ? error
      : new CommonError('INTERNAL', {
          cause: error instanceof Error ? error.message : String(error),
          hint: 'This is a bug. Report it with the command that you ran.',
        })
  const object = coded.toObject()
  io.setExitCode(coded.entry.exit)
  if (json) {
    io.stderr.write(`${JSON.stringify({ error: object })}\n`)
    return
  }
  const rule = object.rule === undefined ? '' : ` [${object.rule}]`
  const cause = object.code === 'INTERNAL' && typeof object.cause === 'string' ? `: ${object.cause}` : ''
  const message = `${object.code}: ${object.message}${cause}${rule}`
  const lines = [...message.split('\n'), ...fieldLines(object.fields)].map(visibleText)
  const painted = lines.map((line) => paint(io, 'red', line, io.stderr))
  io.stderr.write(`${[...painted, ...(object.hint === undefined ? [] : [object.hint])].join('\n')}\n`)
}

/** Prints additional information for the user on stderr. */
export function note(text: string, io: CliIo): void {
  io.stderr.write(`${paint(io, 'yellow', `note: ${visibleText(text)}`, io.stderr)}\n`)
}

/** `2026-11-15 18:30` */
export function minuteOf(isoTime: string): string {
  return isoTime.slice(0, 16).replace('T', ' ')
}

/** `2026-11-15 18:30:05` */
export function secondOf(isoTime: string): string {
  return isoTime.slice(0, 19).replace('T', ' ')
}

export function printLine(text: string, io: CliIo): void {
  io.stdout.write(`${visibleText(text)}\n`)
}

/** Wraps and indents the text on a terminal; prints a single line elsewhere, for line-based programs. */
export function printParagraph(text: string, indent: number, io: CliIo): void {
  const margin = ' '.repeat(indent)
  for (const line of wrapText(visibleText(text), roomOn(io) - indent)) io.stdout.write(`${margin}${line}\n`)
}

/** The available line width. */
export function roomOn({ stdout }: CliIo): number {
  // Some terminals report 0 columns.
  return stdout.isTTY === true ? stdout.columns || 80 : Infinity
}

/** Escapes control characters in a way that does not change the JSON value. */
export function printJson(value: unknown, io: CliIo): void {
  io.stdout.write(`${escapeHidden(JSON.stringify(value, null, 2))}\n`)
}

const gap = 2
/** Narrower columns are unreadable. */
const minColumnWidth = 8
/** Columns that users copy into other commands and that are never truncated, like times. */
const uncutColumns: ReadonlySet<string> = new Set(['ID', 'CALL', 'SERIAL'])
const timeOrNothing = /^(?:\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?)?$/

/**
 * Prints columns as wide as their text. If the terminal is too narrow, the widest columns are truncated; if that is not
 * enough, each row becomes a block of lines.
 */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[], io: CliIo): void {
  const cells = [head, ...rows].map((row) => row.map(visibleText))
  const widths = head.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, textWidth(row[column] ?? '')), 0),
  )
  const room = roomOn(io)
  const total = (): number => widths.reduce((sum, width) => sum + width + gap, -gap)
  const cuttable = [...head.keys()].filter(
    (column) =>
      !uncutColumns.has(head[column] ?? '') &&
      !cells.slice(1).every((row) => timeOrNothing.test(row[column] ?? '')),
  )
  const widthOf = (column: number): number => widths[column] ?? 0
  for (let widest; total() > room && (widest = Math.max(...cuttable.map(widthOf))) > minColumnWidth;) {
    widths[cuttable.find((column) => widthOf(column) === widest) ?? 0] = widest - 1
  }
  if (total() > room) return printBlocks(cells, io)
  for (const [index, row] of cells.entries()) {
    const line = row.map((cell, column) => padText(cutToWidth(cell, widthOf(column)), widthOf(column) + gap))
    const text = line.join('').trimEnd()
    io.stdout.write(`${index === 0 ? paint(io, 'bold', text) : text}\n`)
  }
}

/** Nothing is truncated: the terminal wraps long lines. */
function printBlocks([head = [], ...rows]: readonly (readonly string[])[], io: CliIo): void {
  for (const [index, row] of rows.entries()) {
    if (index > 0) io.stdout.write('\n')
    for (const [column, cell] of row.entries()) {
      if (cell !== '') io.stdout.write(`${head[column]}: ${cell}\n`)
    }
  }
}

/** Colors text on a terminal, unless disabled by NO_COLOR or TERM=dumb. */
export function paint(io: CliIo, style: TerminalStyle, text: string, stream = io.stdout): string {
  const plain = stream.isTTY !== true || io.env.NO_COLOR || io.env.TERM === 'dumb'
  return plain ? text : styleText(style, text, { validateStream: false })
}
