// Bundles the entry points into dist/.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { bundle } from './bundle.mjs'

/** Bundles of their own, because chunks that all share would be many and small, and every file costs at a cold start. */
export const bundles = [
  { contextd: 'src/cli/contextd.ts' },
  { 'hook-here': 'src/cli/hook-here.ts', 'shell-here': 'src/cli/shell-here.ts' },
  { 'proxy-rest': 'src/cli/proxy/rest.ts' },
  { ctxd: 'src/cli/ctxd.ts', index: 'src/index.ts' },
]

/** Somebody waits for these at every use of a tool: one file each, of the kind of module that starts faster. */
export const quickPrograms = {
  hook: 'src/cli/hook.ts',
  'hook-shell': 'src/cli/hook-shell.ts',
  proxy: 'src/cli/proxy.ts',
  'ctxd-quick': 'src/cli/ctxd-quick.ts',
}
export const quickOptions = {
  format: 'cjs',
  splitting: false,
  outExtension: { '.js': '.cjs' },
  banner: {},
  define: { 'import.meta.url': 'undefined' },
}

export async function buildProduct() {
  rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
  for (const entryPoints of bundles) await bundle(entryPoints, 'dist')
  await bundle(quickPrograms, 'dist', quickOptions)
  prepareQuickAnswers()
}

/** What the quick program answers with: said once by the whole one. */
function prepareQuickAnswers() {
  const place = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
  const help = execFileSync(process.execPath, [place('bin/ctxd.js'), '--help'], { encoding: 'utf8' })
  const config = JSON.parse(readFileSync(place('schema/config.schema.json'), 'utf8'))
  writeFileSync(place('dist/ctxd-quick.json'), JSON.stringify({ help, config }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct()
