import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { type Attack, bare, otherCall } from '../attack.ts'
import type { Layout } from '../layout.ts'

export const topic = 'workspace'

/** What the commands leave behind is looked at from outside; how they fare themselves does not matter. */
export function tampering(name: string, commands: string, after: NonNullable<Attack['after']>): Attack {
  const script = `(\n${commands}\n) >/dev/null 2>&1; echo CONTAINED`
  return { topic, name, script, after, alone: {}, twin: bare }
}

/** Whether something else stands under the name of a protected file. */
export function changed(name: string) {
  return ({ workspace }: Layout): boolean => {
    const path = join(workspace, name)
    return !existsSync(path) || readFileSync(path, 'utf8').includes('evil')
  }
}

/** Whether something stands under a name. */
export function exists(name: string) {
  return ({ workspace }: Layout): boolean => {
    try {
      return lstatSync(join(workspace, name), { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      // Below a file there is nothing; what cannot be looked into may be there.
      return (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
    }
  }
}

export function withoutGit({ workspace }: Layout): void {
  rmSync(join(workspace, '.git'), { recursive: true })
}

/** Swaps two names in one step, as no command does. */
export function exchange(one: string, other: string): string {
  return `perl -e 'my ($one, $other) = @ARGV; syscall(${otherCall(316, 276)}, -100, $one, -100, $other, 2)' ${one} ${other}`
}
