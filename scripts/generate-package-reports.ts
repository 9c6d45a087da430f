// node scripts/run-ts.mjs scripts/generate-package-reports.ts [--check]: writes etc/api/, or fails if it is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

import { packageReports } from './packages/package-reports.ts'

const check = process.argv.includes('--check')
let stale = 0
mkdirSync('etc/api', { recursive: true })
for (const [path, text] of await packageReports()) {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (before === text) continue
  if (!check) {
    writeFileSync(path, text)
    continue
  }
  stale += 1
  const lines = new Set(before.split('\n'))
  const added = text.split('\n').filter((line) => !lines.has(line))
  process.stdout.write(`${path} is out of date; new in it:\n${added.slice(0, 20).join('\n')}\n`)
}
if (stale > 0) {
  process.stdout.write('Run `npm run generate`, and review the change of the public API.\n')
  process.exitCode = 1
}
