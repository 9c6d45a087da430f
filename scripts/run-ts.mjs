// node scripts/run-ts.mjs FILE.ts [args]: runs a TypeScript file on every supported Node, since the oldest cannot do so
// by itself.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { bundleSources } from './bundle-sources.mjs'

const cache = fileURLToPath(new URL('../node_modules/.cache/contextd', import.meta.url))

const [file, ...args] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('usage: node scripts/run-ts.mjs FILE.ts [args]\n')
  process.exit(2)
}
const source = resolve(file)
// The process id keeps concurrent runs apart; below node_modules, packages resolve as usual.
const outfile = join(cache, `${parse(file).name}-${process.pid}.mjs`)
mkdirSync(dirname(outfile), { recursive: true })

await bundleSources(source, outfile, { sourcemap: 'inline' })
process.on('exit', () => rmSync(outfile, { force: true }))
process.argv = [process.argv[0], source, ...args]
await import(pathToFileURL(outfile).href)
