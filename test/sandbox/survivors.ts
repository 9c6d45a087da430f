import { readdirSync, readFileSync } from 'node:fs'

/** How many processes of the machine go by this name. They are ended, so that none is left when a twin has made some. */
export function survivors(name: string): number {
  return processesNamed(name).filter((pid) => {
    try {
      return process.kill(pid, 'SIGKILL')
    } catch {
      // Another user's, or gone in between.
      return false
    }
  }).length
}

export function processesNamed(name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && firstArgument(entry) === name)
    .map(Number)
}

function firstArgument(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]
  } catch {
    return undefined
  }
}
