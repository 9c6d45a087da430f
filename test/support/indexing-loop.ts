/**
 * A process that indexes a folder, reports after some files, and later pauses to give the test time to kill it: `node …
 * FOLDER STORE`.
 */

import { createRepositoryIndex } from '../../src/memory/repository/repository-index.ts'
import { openStore } from '../../src/platform/storage/store.ts'

const [folder = '', path = ''] = process.argv.slice(2)
const index = createRepositoryIndex({
  store: openStore(path),
  tenant: 'local',
  clock: () => Date.now() + 1000,
  secretsIn: () => [],
  mayIndex: () => true,
  maxFileBytes: 100_000,
})
await index.index(folder, {
  onProgress({ done }) {
    if (done === 150) process.stdout.write('well begun\n')
    if (done === 250) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
})
