import type { ComposeOptions, Records, Runtime } from '../compose.ts'
import type { Log } from '../platform/log.ts'
import { note, type CliIo } from './ui/output.ts'

/** contextd in this process for the time of one command. */
export async function withRuntime<T>(
  io: CliIo,
  work: (runtime: Runtime) => T | Promise<T>,
  parts: Pick<ComposeOptions, 'control'> = {},
): Promise<T> {
  const { composeRuntime } = await import('../compose.ts')
  const log: Log = (severity, message, { file } = {}) => {
    const place = typeof file === 'string' ? `: ${file}` : ''
    if (severity === 'warn' || severity === 'error') note(`${message}${place}`, io)
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
  const { openRecords } = await import('../compose.ts')
  const records = openRecords(io.env)
  try {
    return await work(records)
  } finally {
    records.close()
  }
}
