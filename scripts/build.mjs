// Bundles the entry points into dist/.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { bundle } from './bundle.mjs'

/** Bundles of their own, because chunks that all share would be many and small, and every file costs at a cold start. */
export const bundles = [
  {
    contextd: 'src/cli/contextd.ts',
    'hook-here': 'src/cli/hook-here.ts',
    'shell-here': 'src/cli/shell-here.ts',
  },
  { ctxd: 'src/cli/ctxd.ts', index: 'src/index.ts' },
  // Each by itself and in one file: clients wait for them at every use of a tool.
  { hook: 'src/cli/hook.ts' },
  { 'hook-shell': 'src/cli/hook-shell.ts' },
]

export async function buildProduct() {
  rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
  for (const entryPoints of bundles) await bundle(entryPoints, 'dist')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct()
