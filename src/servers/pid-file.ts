import { readFileSync, rmSync, writeFileSync } from 'node:fs'

import { ContextdError } from '../core/errors.ts'
import { isAlive } from '../platform/process.ts'

/** Takes the place of the one daemon, or says who has it. Answers how to give it back. */
export async function takePidFile(
  path: string,
  isServing: () => Promise<boolean>,
  pid: number = process.pid,
): Promise<() => void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(path, `${pid}\n`, { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error
      const holder = readPid(path)
      if (holder !== undefined && isAlive(holder) && (await isServing())) {
        throw new ContextdError('DAEMON_ALREADY_RUNNING', { pid: holder })
      }
      rmSync(path, { force: true })
    }
  }
}

export function readPid(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}
