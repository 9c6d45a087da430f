// npm run check: everything that can be known without running the product. All of it runs, then the verdict.
import { spawnSync } from 'node:child_process'

/** @type {[string, string[]][]} */
const checks = [
  ['types', ['tsc', '-p', '.']],
  ['lint', ['oxlint', '--type-aware', '--deny-warnings']],
  ['format', ['oxfmt', '--check', '.']],
  ['architecture', ['vitest', 'run', 'test/architecture.test.ts']],
  ['docs', ['vitest', 'run', 'test/docs-reference.test.ts', 'test/docs-links.test.ts']],
]

let failed = 0
for (const [name, [command, ...args]] of checks) {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${command}`, args, { encoding: 'utf8' })
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (status !== 0) {
    failed += 1
    process.stdout.write(`${stdout}${stderr}\n`)
  }
}
process.exit(failed === 0 ? 0 : 1)
