// Bundles the entry points into dist/.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { bundle } from './bundle.mjs'

export async function buildProduct() {
  rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
  // Two bundles, because chunks that both share would be many and small, and every file costs at a cold start.
  await bundle({ contextd: 'src/cli/contextd.ts' }, 'dist')
  await bundle({ ctxd: 'src/cli/ctxd.ts', index: 'src/index.ts' }, 'dist')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct()
