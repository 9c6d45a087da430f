/**
 * Runs as a separate process: on the store in the given folder, rates one memory, changes one field of it and stores
 * memories, round after round.
 */

import { join } from 'node:path'

import { createBank, type MemoryChanges } from '../../src/memory/bank/bank.ts'
import { createSqliteVectors } from '../../src/memory/search/sqlite-vectors.ts'
import { openStore } from '../../src/platform/storage/store.ts'
import { aMemory, aUser, wordEmbedder } from './memory-bank.ts'

const [folder = '', shared = '', field = '', rounds = ''] = process.argv.slice(2)
const store = openStore(join(folder, 'contextd.db'))
const tenant = 'local'
const vectors = createSqliteVectors({ store, tenant, kind: 'memory' })
const bank = createBank({ store, tenant, clock: Date.now, embedder: wordEmbedder(), vectors })
for (let round = 1; round <= Number(rounds); round++) {
  const user = aUser({ session: `${field} ${round}` })
  bank.feedback(user, shared, { helpful: true })
  const changes: MemoryChanges = { [field]: `${field} of round ${round}` }
  await bank.edit(user, shared, changes)
  await bank.store(user, aMemory({ title: `${field}${round}` }))
}
store.close()
