/** Runs the client's shell in our place and passes on what it prints, without secrets. */

import type { Readable } from 'node:stream'

import { createOutputGate, fullAt, type OutputPart } from '../clients/claude-code/hooks/scrub-gate.ts'
import { callerIn, readerVariable } from '../clients/claude-code/hooks/scrub-shell.ts'
import { losslessBytes, createTextReader } from '@contextd/shared/text/lossless-text'
import { handOver, startForwarded } from '@contextd/shared/process'

/** The text as it may be passed on to the caller. Throws where nobody can tell. */
export type ScrubPart = (part: OutputPart, caller: string | undefined) => Promise<string>

/** Milliseconds without anything new after which whole lines are passed on. */
const quietMs = 250
/** How long output is waited for when the shell has ended; whoever still holds it runs in the background. */
const lingerMs = 100
/** While this much waits, the command waits too. */
const maxHeld = 8 * fullAt

/**
 * What cannot be checked is withheld; the exit status is the shell's in any case. `rest` says how to run contextd for
 * what is printed in the background after the shell has ended, as long as it lasts.
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

/** Passes on what comes on standard input. */
export async function runRest(caller: string, scrub: ScrubPart): Promise<number> {
  const passing = passOn(process.stdin, (part) => scrub(part, caller === '' ? undefined : caller))
  await passing.closed
  await passing.finish()
  return 0
}

interface Passing {
  /** When nothing more comes. */
  readonly closed: Promise<void>
  /** Reads no further. */
  stop(): void
  /** Passes on all that has come. */
  finish(): Promise<void>
}

function passOn(input: Readable, scrub: (part: OutputPart) => Promise<string>): Passing {
  const gate = createOutputGate()
  const reader = createTextReader()
  let isReading = true
  let work: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  /** A scrubber that takes long is asked less often. */
  let patience = quietMs

  const pass = async (when: 'full' | 'quiet' | 'end'): Promise<void> => {
    for (let part = gate.take(when); part !== undefined; part = gate.take(when)) {
      const began = Date.now()
      await write(await scrub(part).catch(() => withheld(part)))
      patience = Math.max(quietMs, 4 * (Date.now() - began))
    }
    if (isReading) input.resume()
  }
  /** One after the other: the output keeps its order. */
  const next = (when: 'full' | 'quiet' | 'end'): Promise<unknown> => (work = work.then(() => pass(when)))
  const onData = (bytes: Buffer): void => {
    gate.add(reader.read(bytes))
    clearTimeout(timer)
    if (gate.size >= maxHeld) input.pause()
    if (gate.size >= fullAt) void next('full')
    timer = setTimeout(() => void next('quiet'), patience)
  }
  input.on('data', onData)
  // Where nobody reads any more, the command goes on all the same.
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
      // What had been read before somebody else went on with it.
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
