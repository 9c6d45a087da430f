/** Runs the client's shell as a child process and passes on its output without secrets. */

import type { Readable } from 'node:stream'

import { createOutputGate, fullAt, type OutputPart } from '../clients/claude-code/hooks/scrub-gate.ts'
import { callerIn, readerVariable } from '../clients/claude-code/hooks/scrub-shell.ts'
import { losslessBytes, createTextReader } from '@contextd/shared/text/lossless-text'
import { handOver, startForwarded } from '@contextd/shared/process'

/** Scrubs text for the caller. Throws if that is impossible. */
export type ScrubPart = (part: OutputPart, caller: string | undefined) => Promise<string>

/** Milliseconds without new output after which complete lines are passed on. */
const quietMs = 250
/** How long to wait for output after the shell has exited; processes that still hold the pipe run in the background. */
const lingerMs = 100
/** Above this many buffered characters, the command is paused. */
const maxHeld = 8 * fullAt

/**
 * Output that cannot be checked is withheld; the exit status is always the shell's. `rest` returns the command line
 * that handles output of background processes after the shell has exited.
 */
export async function runShell(
  [file = '', ...args]: readonly string[],
  scrub: ScrubPart,
  rest: (caller: string) => readonly [string, ...string[]],
): Promise<number> {
  const caller = callerIn(args.at(-1) ?? '')
  const { output, status } = startForwarded(file, args, { [readerVariable]: String(process.pid) })
  const passing = passOn(output, (part) => scrub(part, caller))
  const code = await status
  const isClosed = await Promise.race([
    passing.closed.then(() => true),
    new Promise<false>((resolve) => setTimeout(resolve, lingerMs, false)),
  ])
  if (!isClosed) {
    passing.stop()
    const [program, ...words] = rest(caller ?? '')
    handOver(output, program, words)
  }
  await passing.finish()
  return code
}

/** Scrubs and passes on standard input. */
export async function runRest(caller: string, scrub: ScrubPart): Promise<number> {
  const passing = passOn(process.stdin, (part) => scrub(part, caller === '' ? undefined : caller))
  await passing.closed
  await passing.finish()
  return 0
}

interface Passing {
  /** Resolves at the end of the input. */
  readonly closed: Promise<void>
  /** Stops reading. */
  stop(): void
  /** Passes on everything read so far. */
  finish(): Promise<void>
}

function passOn(input: Readable, scrub: (part: OutputPart) => Promise<string>): Passing {
  const gate = createOutputGate()
  const reader = createTextReader()
  let isReading = true
  let work: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  /** Grows with the scrubber's latency, so that a slow one is called less often. */
  let patience = quietMs

  const pass = async (when: 'full' | 'quiet' | 'end'): Promise<void> => {
    for (let part = gate.take(when); part !== undefined; part = gate.take(when)) {
      const began = Date.now()
      await write(await scrub(part).catch(() => withheld(part)))
      patience = Math.max(quietMs, 4 * (Date.now() - began))
    }
    if (isReading) input.resume()
  }
  /** Serialized, to preserve the order of the output. */
  const next = (when: 'full' | 'quiet' | 'end'): Promise<unknown> => (work = work.then(() => pass(when)))
  const onData = (bytes: Buffer): void => {
    gate.add(reader.read(bytes))
    clearTimeout(timer)
    if (gate.size >= maxHeld) input.pause()
    if (gate.size >= fullAt) void next('full')
    timer = setTimeout(() => void next('quiet'), patience)
  }
  input.on('data', onData)
  // If the reader is gone, the command continues.
  process.stdout.on('error', () => {})
  return {
    closed: new Promise((resolve) => {
      input.once('end', resolve)
      input.once('error', resolve)
    }),
    stop() {
      isReading = false
      input.removeListener('data', onData)
      input.pause()
    },
    async finish() {
      clearTimeout(timer)
      isReading = false
      // Input that was buffered before another process took over the pipe.
      for (let left: unknown = input.read(); left !== null; left = input.read()) {
        gate.add(reader.read(left as Buffer))
      }
      gate.add(reader.end())
      await next('end')
    },
  }
}

const notice = '[contextd withheld this output: it could not be checked for secrets]'

function withheld({ text }: OutputPart): string {
  return text.endsWith('\n') ? `${notice}\n` : notice
}

function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(losslessBytes(text), () => resolve())
  })
}
