/**
 * Runs as a separate process: installs, updates or removes a tool, and kills itself with SIGKILL directly after one of
 * its writes to a file or the store. Without a number it survives, and prints the number of writes, and which of them
 * first changed existing data.
 */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

import { openStore, type Store } from '../../src/platform/storage/store.ts'
import { openTestTools } from './test-tools.ts'

const [home = '', project = '', action = '', last] = process.argv.slice(2)

let steps = 0
let begun = 0
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const count = (): void => {
  steps += 1
  if (steps === Number(last)) die()
}

const store = openStore(join(home, 'contextd.db'))
const mortal: Store = {
  ...store,
  rows: (table, scope) => {
    const rows = store.rows(table, scope)
    return {
      ...rows,
      put(values) {
        rows.put(values)
        count()
      },
      remove(where) {
        const removed = rows.remove(where)
        count()
        return removed
      },
    }
  },
}

const realRemove = fs.rmSync
type Writing =
  | 'renameSync'
  | 'mkdirSync'
  | 'writeFileSync'
  | 'chmodSync'
  | 'fsyncSync'
  | 'rmSync'
  | 'rmdirSync'
for (const name of [
  'renameSync',
  'mkdirSync',
  'writeFileSync',
  'chmodSync',
  'fsyncSync',
  'rmSync',
  'rmdirSync',
] as const) {
  const real = fs[name] as (...args: unknown[]) => unknown
  const mortalOne = (...args: unknown[]): unknown => {
    // Removing a folder can also be interrupted in the middle.
    if (name === 'rmSync' && steps + 1 === Number(last)) removeHalf(String(args[0]))
    const done = real(...args)
    count()
    if (name === 'renameSync' && String(args[1]).endsWith('journal.json')) begun = steps
    return done
  }
  ;(fs as Record<Writing, unknown>)[name] = mortalOne
}
function removeHalf(path: string): void {
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  const [first] = fs.readdirSync(path)
  if (first === undefined) return
  realRemove(join(path, first), { recursive: true })
  die()
}
syncBuiltinESMExports()

const { installer } = openTestTools(mortal, { home, project })
if (action === 'remove') installer.prepareRemoval('probe').confirm()
else {
  const prepared =
    action === 'update' ? await installer.prepareUpdate('probe') : await installer.prepare('../source')
  try {
    if (!prepared.isSame) prepared.confirm()
  } finally {
    prepared.discard()
  }
}
store.close()
process.stdout.write(JSON.stringify({ steps, begun }))
