/** A process that indexes a folder and says so after some files: `node … FOLDER STORE`. */

import { createRepositoryIndex } from '../../src/memory/repository/repository-index.ts'
import { openStore } from '../../src/platform/storage/store.ts'

const [folder = '', path = ''] = process.argv.slice(2)
const index = createRepositoryIndex({
  store: openStore(path),
  tenant: 'local',
  clock: () => Date.now() + 1000,
  secretsIn: () => [],
  mayIndex: () => true,
  largestFile: 100_000,
})
await index.index(folder, { onProgress: ({ done }) => done === 150 && process.stdout.write('well begun\n') })
