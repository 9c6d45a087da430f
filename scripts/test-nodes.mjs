// npm run test:nodes [20 22 24 26]: runs all tests on each supported release line of Node.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { installTool } from './tool-cache.mjs'

const lines = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26']
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const script = fileURLToPath(new URL('./test.mjs', import.meta.url))

let failed = 0
for (const line of lines) {
  const node = join(installTool(name, line), 'node_modules', name, 'bin', 'node')
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  process.stdout.write(`Node ${stdout.trim()}\n`)
  const { status } = spawnSync(node, [script], { stdio: 'inherit' })
  if (status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
