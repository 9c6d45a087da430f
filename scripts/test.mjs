// npm test: installs what the sandbox needs, builds, runs all tests. Arguments are passed to vitest.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { ensureBubblewrap } from './system-packages.mjs'
import { buildProduct } from './build.mjs'
import { buildPackages } from './packages/build.mjs'

ensureBubblewrap()
await buildProduct()
await buildPackages()
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
