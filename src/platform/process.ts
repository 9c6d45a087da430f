import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** Starts a program that outlives us, its output in a file of its own. Answers its process id. */
export function startDetached(
  file: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; logFile: string },
): number | undefined {
  const log = openSync(options.logFile, 'a', 0o600)
  try {
    const child = spawn(file, [...args], {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', log, log],
    })
    // A failed start shows as a missing process id.
    child.on('error', () => {})
    child.unref()
    return child.pid
  } finally {
    closeSync(log)
  }
}

/** True while a process with that id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
