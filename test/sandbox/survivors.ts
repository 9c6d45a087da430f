import { readdirSync, readFileSync } from 'node:fs'

/** How many processes of the machine go by this name. They are ended, so that none is left when a twin has made some. */
export function survivors(name: string): number {
  let found = 0
  for (const entry of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    if (firstArgument(entry) !== name) continue
    try {
      process.kill(Number(entry), 'SIGKILL')
      found++
    } catch {
      // Another user's, or gone in between.
    }
  }
  return found
}

function firstArgument(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]
  } catch {
    return undefined
  }
}
