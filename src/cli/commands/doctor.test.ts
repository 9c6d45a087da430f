import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { doctorCommand } from './doctor.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

interface Report {
  ok: boolean
  checks: { id: string; status: string; message: string; fix?: string }[]
}

async function examine(): Promise<{
  report: Report
  code: number
  status: (id: string) => string | undefined
}> {
  const { out, code } = await home.run(doctorCommand, '--json')
  const report = JSON.parse(out()) as Report
  return { report, code: code(), status: (id) => report.checks.find((check) => check.id === id)?.status }
}

test('a fresh machine is well, and every check says what it saw', async () => {
  const { report, code } = await examine()
  expect(report.checks.map(({ id }) => id)).toEqual([
    'node',
    'configuration',
    'rules',
    'store',
    'keys',
    'sandbox',
    'clients',
  ])
  expect([report.ok, code]).toEqual([true, 0])
  for (const { message } of report.checks) expect(message).not.toBe('')
})

test('what is broken is found, with a fix, and the rest is still examined', async () => {
  home.write('config/config.toml', '[http]\nprot = 1\n')
  home.write('config/rules.json', '{')
  const { report, code, status } = await examine()
  expect([report.ok, code]).toEqual([false, 1])
  expect([status('configuration'), status('rules'), status('store')]).toEqual(['fail', 'fail', 'ok'])
  for (const { status: found, fix } of report.checks) if (found === 'fail') expect(fix).toBeTruthy()
})

test('keys that others can reach are a failure', async () => {
  const keys = join(home.path, 'state', 'keys')
  mkdirSync(keys, { recursive: true, mode: 0o700 })
  expect((await examine()).status('keys')).toBe('ok')
  chmodSync(keys, 0o755)
  expect((await examine()).status('keys')).toBe('fail')
})

test('the text names each check and its fix', async () => {
  home.write('config/rules.json', '{')
  const { out } = await home.run(doctorCommand)
  expect(out()).toMatch(/^fail rules /m)
  expect(out()).toMatch(/^ {5}fix: /m)
})
