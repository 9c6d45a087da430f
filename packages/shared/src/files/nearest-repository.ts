import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The closest folder, from this one upwards, that is the root of a git repository. */
export function nearestRepository(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}
