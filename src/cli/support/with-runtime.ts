import type { ComposeOptions, Records, Runtime } from '../../compose.ts'
import type { Log } from '../../platform/log.ts'
import { note, type CliIo } from '@contextd/shared/cli/output'

const told = new WeakMap<CliIo, Set<string>>()

/** A command may open contextd several times, and nobody needs to read the same twice. */
function noteOnce(text: string, io: CliIo): void {
  const before = told.get(io) ?? new Set()
  if (before.has(text)) return
  told.set(io, before.add(text))
  note(text, io)
}

/** What is not in the API is done here, also where `CONTEXTD_ADDR` names another machine: that must not look like its answer. */
function sayWhere(io: CliIo): void {
  if (!io.env.CONTEXTD_ADDR) return
  noteOnce(`this is about this machine, not about ${io.env.CONTEXTD_ADDR}`, io)
}

/** contextd in this process for the time of one command. */
export async function withRuntime<T>(
  io: CliIo,
  work: (runtime: Runtime) => T | Promise<T>,
  parts: Pick<ComposeOptions, 'control'> = {},
): Promise<T> {
  sayWhere(io)
  const { composeRuntime } = await import('../../compose.ts')
  const log: Log = (severity, message, { file } = {}) => {
    const place = typeof file === 'string' ? `: ${file}` : ''
    if (severity === 'warn' || severity === 'error') noteOnce(`${message}${place}`, io)
  }
  const runtime = await composeRuntime({ env: io.env, cwd: io.cwd, log, brief: true, ...parts })
  try {
    return await work(runtime)
  } finally {
    await runtime.close()
  }
}

/** Only the store: works also where the rules or the configuration do not load. */
export async function withRecords<T>(io: CliIo, work: (records: Records) => T | Promise<T>): Promise<T> {
  sayWhere(io)
  const { openRecords } = await import('../../compose.ts')
  const records = openRecords(io.env)
  try {
    return await work(records)
  } finally {
    records.close()
  }
}
