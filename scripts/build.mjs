// Bundles the entry points into dist/: one file a command plus shared chunks, so that a cold start reads little.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { bundle } from './bundle.mjs'

export async function buildProduct() {
  rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
  await bundle({ contextd: 'src/cli/contextd.ts', ctxd: 'src/cli/ctxd.ts', index: 'src/index.ts' }, 'dist')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct()
