import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { refusalReport } from './serve-tls.ts'

test('repeated refusals fill neither the log nor the audit log', () => {
  let now = 0
  const logged: unknown[] = []
  const events: [string, JsonObject][] = []
  const report = refusalReport({
    log: (severity, message, fields) => void logged.push([severity, message, fields]),
    onEvent: (...event) => void events.push(event),
    clock: () => now,
  })
  const refusal = { why: 'it is foreign', address: '192.0.2.1:5000' }
  for (let tries = 0; tries < 25; tries++) report('a caller was refused', refusal)
  expect([logged.length, events.length]).toEqual([20, 20])
  expect(logged[0]).toEqual(['warn', 'a caller was refused', refusal])
  now = 60_000
  report('a caller was refused', refusal)
  report('a caller was refused', refusal)
  expect(events.slice(20)).toEqual([
    ['certificate-refused', { ...refusal, left_out: 5 }],
    ['certificate-refused', refusal],
  ])
})

test('a refusal that cannot be recorded is logged, and does no harm', () => {
  const logged: string[] = []
  const report = refusalReport({
    log: (severity, message) => void logged.push(`${severity}: ${message}`),
    onEvent: () => {
      throw new Error('the disk is full')
    },
  })
  expect(() => report('a caller was refused', { why: 'it is foreign', address: '' })).not.toThrow()
  expect(logged).toEqual(['warn: a caller was refused', 'error: a refusal could not be recorded'])
})
