// npm run check: all checks that do not run the product. It fails after the last one if any of them failed.
import { spawnSync } from 'node:child_process'

const installed = (name) => `node_modules/.bin/${name}`

/** @type {[string, string[]][]} */
const checks = [
  ['types', [installed('tsc'), '-p', '.']],
  ['lint', [installed('oxlint'), '--type-aware', '--deny-warnings']],
  ['format', [installed('oxfmt'), '--check', '.']],
  ['packages', ['node', 'scripts/run-ts.mjs', 'scripts/check-package-api.ts']],
  ['architecture', [installed('vitest'), 'run', 'test/architecture.test.ts']],
  [
    'docs',
    [
      installed('vitest'),
      'run',
      'test/docs-reference.test.ts',
      'test/docs-links.test.ts',
      'test/plain-words.test.ts',
    ],
  ],
]

let failed = 0
for (const [name, [command, ...args]] of checks) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (status !== 0) {
    failed += 1
    process.stdout.write(`${stdout}${stderr}\n`)
  }
}
if (failed > 0) process.exitCode = 1
