/**
 * Runs as a separate process: imports that many memories into the store in the given folder, and kills itself with
 * SIGKILL while it writes one of them, in the middle of a transaction. Without a number it survives.
 */

import { join } from 'node:path'

import { createBank } from '../../src/memory/bank/bank.ts'
import { importMemories } from '../../src/memory/bank/import.ts'
import type { MemoryUser } from '../../src/memory/memory-access.ts'
import { openStore, type Store } from '../../src/platform/storage/store.ts'
import { numberedMemory } from './numbered-memory.ts'

const [folder = '', count = '', last] = process.argv.slice(2)
const tenant = 'local'

let written = 0
const store = openStore(join(folder, 'contextd.db'))
const mortal: Store = {
  ...store,
  prepare(sql) {
    const statement = store.prepare(sql)
    if (!/\bINTO memory_words\b/.test(sql)) return statement
    return {
      ...statement,
      run(...values) {
        const done = statement.run(...values)
        written += 1
        if (written === Number(last)) process.kill(process.pid, 'SIGKILL')
        return done
      },
    }
  },
}
const user: MemoryUser = {
  reach: { tenant, project: '/p', session: 's', agent: 'operator', read: ['all'], write: ['all'] },
  archiver: { archive: (text) => text, recall: (text) => text },
}
const answer = await importMemories(
  {
    bank: createBank({ store: mortal, tenant, clock: Date.now }),
    user,
    userOfExport: () => undefined,
    exists: () => false,
  },
  Array.from({ length: Number(count) }, (_, n) => numberedMemory(n)),
)
store.close()
process.stdout.write(JSON.stringify(answer))
