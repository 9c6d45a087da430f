import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { bundleScript, type BundledScript } from '../../../test/support/bundled-script.ts'

const run = promisify(execFile)

let script: BundledScript
beforeAll(async () => {
  script = await bundleScript('test/support/secret-scrubber.ts')
})
afterAll(() => script.remove())

test('processes that scrub for one session simultaneously agree on every number', async () => {
  const folder = temporaryFolder()
  const outputs = await Promise.all(
    [1, 2, 3, 4].map((seed) => run(process.execPath, [script.path, folder, String(seed), '60'])),
  )
  const given = outputs.map(({ stdout }) => new Map(JSON.parse(stdout) as [string, string][]))
  const [first = new Map<string, string>()] = given
  expect(outputs.map(({ stderr }) => stderr).join('')).toBe('')
  expect(new Set(first.values()).size).toBe(60)
  for (const other of given) expect(Object.fromEntries(other)).toEqual(Object.fromEntries(first))
  expect([...first.values()].sort()).toEqual(Array.from({ length: 60 }, (_, n) => `[SECRET_${n + 1}]`).sort())
})
