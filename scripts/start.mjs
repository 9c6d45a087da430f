// npm start: installs what the sandbox needs, builds if a source changed, and runs the daemon in the foreground.
import { isUpToDate } from './built-commit.mjs'
import { ensureBubblewrap } from './system-packages.mjs'

ensureBubblewrap()
if (!isUpToDate()) await build()
process.argv = [process.argv[0], process.argv[1], 'serve', ...process.argv.slice(2)]
await import('../bin/contextd.js')

async function build() {
  const { buildProduct } = await import('./build.mjs')
  const { stop: endBundler } = await import('esbuild')
  const { isTTY } = process.stderr
  if (!isTTY) process.stderr.write('Building contextd …\n')
  await buildProduct((step, steps) => {
    if (isTTY) process.stderr.write(`\rBuilding contextd … ${step} of ${steps}`)
  })
  if (isTTY) process.stderr.write('\n')
  // Otherwise the bundler would run as long as the daemon.
  await endBundler()
}
