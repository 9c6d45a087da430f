// node scripts/run-ts.mjs scripts/check-package-api.ts: the reports in etc/api/ are up to date, and every public export
// has an example that compiles.
import { existsSync, readFileSync } from 'node:fs'

import { compileExamples } from './packages/compile-examples.ts'
import { publishedPackages } from './packages/manifest.mjs'
import { packageReports } from './packages/package-reports.ts'
import { readTypes } from './packages/read-types.ts'

const packages = publishedPackages()
const types = readTypes(packages)
const problems: string[] = []

for (const [path, text] of await packageReports(packages, types)) {
  const committed = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  if (committed.join('\n') === text) continue
  const added = text.split('\n').filter((line) => !committed.includes(line))
  const removed = committed.filter((line) => !text.includes(line))
  const lines = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
  problems.push(
    `${path} is out of date. Review the change, then run \`npm run generate\`.`,
    ...lines.slice(0, 40),
  )
}
problems.push(...compileExamples(types))

process.stdout.write(problems.map((line) => `${line}\n`).join(''))
if (problems.length > 0) process.exitCode = 1
