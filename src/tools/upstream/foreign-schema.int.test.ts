import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, expect, test } from 'vitest'

import {
  fixture,
  gatewayRuntime,
  textOf,
  type GatewayRuntime,
} from '../../../test/support/gateway-runtime.ts'
import type { JsonObject } from '@contextd/shared/json/value'

let gateway: GatewayRuntime
const folder = mkdtempSync(join(tmpdir(), 'contextd-schema-'))
afterEach(() => gateway.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function startWith(inputSchema: JsonObject): Promise<{ arrived: () => number }> {
  const file = join(folder, 'calls')
  const env = { INPUT_SCHEMA: JSON.stringify(inputSchema) }
  gateway = await gatewayRuntime({ servers: { forms: fixture('any-tools', [file, 'fill'], { env }) } })
  return { arrived: () => readFileSync(file, 'utf8').split('\n').length - 1 }
}

const slowPattern: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', pattern: '^(a+)+$' } },
  patternProperties: { '^(x+)+$': { type: 'integer' } },
}

test('a catastrophic pattern is checked correctly on every call', async () => {
  const { arrived } = await startWith(slowPattern)
  const fill = async (args: JsonObject): Promise<string> =>
    textOf(await gateway.execute('forms', 'fill', args))
  expect(await fill({ text: 'aaa', xx: 1 })).toBe('did fill')
  for (let i = 0; i < 30; i++) {
    const refused = await fill({ text: `${'a'.repeat(1000)}!` })
    expect(refused).toContain('INVALID_ARGUMENTS')
    expect(refused).toContain('match pattern')
  }
  expect(await fill({ text: 'aaa', [`${'x'.repeat(1000)}!`]: 'any' })).toBe('did fill')
  expect(await fill({ text: 'aaa', xx: 'none' })).toContain('INVALID_ARGUMENTS')
  expect(arrived()).toBe(2)
})
