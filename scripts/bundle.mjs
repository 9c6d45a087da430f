// node scripts/bundle.mjs ENTRY.ts OUTDIR: one entry bundled the way the product is.
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

/** `more` overrides options of esbuild. */
export function bundle(entryPoints, outdir, more = {}) {
  return build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    conditions: ['contextd-source'],
    target: 'node20.19',
    // Native code and optional peers remain separate packages.
    external: [
      '@opentelemetry/api',
      '@photostructure/sqlite',
      '@qdrant/js-client-rest',
      '@vscode/ripgrep',
      '@vscode/tree-sitter-wasm',
      'gpt-tokenizer',
      'onnxruntime-node',
      'unpdf',
    ],
    // Some dependencies contain CommonJS that calls require() for Node's built-in modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    logLevel: 'warning',
    ...more,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle([process.argv[2]], process.argv[3])
