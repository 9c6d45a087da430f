import type { ComposeOptions, Records, Runtime } from '../../compose.ts'
import type { Log } from '../../platform/log.ts'
import { note, type CliIo } from '@contextd/shared/cli/output'
import { isNews } from './noted-files.ts'

const printedNotes = new WeakMap<CliIo, Set<string>>()

/** A command may open contextd several times, but each note is printed once. */
function noteOnce(text: string, io: CliIo): void {
  const before = printedNotes.get(io) ?? new Set()
  if (before.has(text)) return
  printedNotes.set(io, before.add(text))
  note(text, io)
}

/**
 * Commands outside the API run locally even if `CONTEXTD_ADDR` is set: say so, or the output would be mistaken for
 * that machine's.
 */
function noteIfRemote(io: CliIo): void {
  if (!io.env.CONTEXTD_ADDR) return
  noteOnce(`this command applies to this machine, not to ${io.env.CONTEXTD_ADDR}`, io)
}

/** Opens contextd in this process for one command. */
export async function withRuntime<T>(
  io: CliIo,
  work: (runtime: Runtime) => T | Promise<T>,
  parts: Pick<ComposeOptions, 'control'> = {},
): Promise<T> {
  noteIfRemote(io)
  const { composeRuntime } = await import('../../compose.ts')
  const log: Log = (severity, message, { file, ignored } = {}) => {
    if (severity !== 'warn' && severity !== 'error') return
    const text = typeof file === 'string' ? `${message}: ${file}` : message
    const isKnown = ignored === true && typeof file === 'string' && !isNews(text, file, io.env)
    if (!isKnown) noteOnce(text, io)
  }
  const runtime = await composeRuntime({ env: io.env, cwd: io.cwd, log, brief: true, ...parts })
  try {
    return await work(runtime)
  } finally {
    await runtime.close()
  }
}

/** Opens only the store, which works even if the rules or the configuration do not load. */
export async function withRecords<T>(io: CliIo, work: (records: Records) => T | Promise<T>): Promise<T> {
  noteIfRemote(io)
  const { openRecords } = await import('../../compose.ts')
  const records = openRecords(io.env)
  try {
    return await work(records)
  } finally {
    records.close()
  }
}
