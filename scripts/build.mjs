// Bundles the entry points into dist/: one file a command plus shared chunks, so that a cold start reads little.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

export async function buildProduct() {
  rmSync(`${root}/dist`, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: { contextd: 'src/cli/contextd.ts', ctxd: 'src/cli/ctxd.ts', index: 'src/index.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Native code and optional peers stay packages of their own.
    external: ['@photostructure/sqlite', 'gpt-tokenizer'],
    // Some dependencies are CommonJS inside and call require for node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    logLevel: 'warning',
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct()
