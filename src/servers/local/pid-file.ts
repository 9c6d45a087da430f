import { linkSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { ContextdError } from '../../core/errors/errors.ts'
import { isAlive } from '@contextd/shared/process'

/** A daemon needs less than this from writing the pid file to opening its doors. */
const startsWithinMs = 15_000

/**
 * Claims the pid file for the only daemon, or reports who holds it. Waits for a daemon that is just starting.
 * Returns a function that releases it.
 */
export async function takePidFile(
  path: string,
  isServing: () => Promise<boolean>,
  pid: number = process.pid,
): Promise<() => void> {
  while (!put(path, pid)) {
    const holder = readPid(path)
    if (holder !== undefined && isAlive(holder)) {
      if (await isServing()) throw new ContextdError('DAEMON_ALREADY_RUNNING', { pid: holder })
      if (ageOf(path) < startsWithinMs) {
        await sleep(50)
        continue
      }
    }
    removeLeftover(path, holder, pid)
  }
  return () => {
    if (readPid(path) === pid) rmSync(path, { force: true })
  }
}

/** Atomic, so that an empty file is never mistaken for a leftover. False if the file exists. */
function put(path: string, pid: number): boolean {
  const own = `${path}.${pid}`
  writeFileSync(own, `${pid}\n`, { mode: 0o600 })
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Moves the file away before checking it again: another process that found the same leftover may have claimed it in
 * the meantime.
 */
function removeLeftover(path: string, holder: number | undefined, pid: number): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const hint = 'contextd did not create it and left it unchanged. Move it away and start again.'
    throw new ContextdError('STORE_UNAVAILABLE', { cause: `${path} is a folder`, hint })
  }
  const aside = `${path}.${pid}.old`
  try {
    renameSync(path, aside)
    if (readPid(aside) !== holder) linkSync(aside, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
}

export function readPid(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}
