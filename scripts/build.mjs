// Bundles the entry points into dist/.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { recordBuild } from './built-commit.mjs'
import { bundle } from './bundle.mjs'
import { writeChanged } from './write-changed.mjs'

/** Bundles of their own, because chunks that all share would be many and small, and every file costs at a cold start. */
export const bundles = [
  { contextd: 'src/cli/contextd.ts' },
  { 'hook-here': 'src/cli/hook-here.ts', 'shell-here': 'src/cli/shell-here.ts' },
  { 'proxy-rest': 'src/cli/proxy/rest.ts' },
  { ctxd: 'src/cli/ctxd.ts', index: 'src/index.ts' },
  // The program of the worker threads that check large texts.
  { 'scrub-worker': 'src/stages/scrub/checks/scrub-worker.ts' },
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

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const quickAnswers = 'ctxd-quick.json'
/** Made by `prepack`. */
const packedTypes = 'types'

/** What is there already and current is not touched: programs may be running from it. */
export async function buildProduct() {
  const made = new Map()
  const make = async (entryPoints, options) => {
    const { outputFiles } = await bundle(entryPoints, 'dist', { ...options, write: false })
    for (const { path, contents } of outputFiles) made.set(basename(path), contents)
  }
  for (const entryPoints of bundles) await make(entryPoints)
  await make(quickPrograms, quickOptions)
  mkdirSync(dist, { recursive: true })
  for (const [name, contents] of made) writeChanged(join(dist, name), contents)
  writeChanged(join(dist, quickAnswers), Buffer.from(answersOfTheWhole()))
  for (const name of readdirSync(dist)) {
    if (!made.has(name) && name !== quickAnswers && name !== packedTypes)
      rmSync(join(dist, name), { recursive: true })
  }
  recordBuild()
}

/** What the quick program answers with: said once by the whole one, which `help` asks and `--help` may not. */
function answersOfTheWhole() {
  const help = execFileSync(process.execPath, [join(root, 'bin/ctxd.js'), 'help'], { encoding: 'utf8' })
  const config = JSON.parse(readFileSync(join(root, 'schema/config.schema.json'), 'utf8'))
  return JSON.stringify({ help, config })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct()
