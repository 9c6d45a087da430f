import { expect, test } from 'vitest'

import { createLog } from './log.ts'

const lines: string[] = []
const log = createLog({
  level: 'info',
  scrub: (text, key) => (key === 'password' ? '[SECRET_1]' : text.replaceAll('hunter2', '[SECRET_2]')),
  write: (line) => lines.push(line),
})

test('writes one JSON object per line, scrubbed before quoting', () => {
  log('error', 'a tool failed', { cause: 'password="hunter2"\nat x', password: 'abc', none: undefined })
  const line = lines.at(-1) ?? ''
  expect(line).toMatch(/^\{.*\}\n$/)
  const { time, ...rest } = JSON.parse(line) as Record<string, unknown>
  expect(Date.parse(String(time))).not.toBeNaN()
  expect(rest).toEqual({
    level: 'error',
    message: 'a tool failed',
    cause: 'password="[SECRET_2]"\nat x',
    password: '[SECRET_1]',
  })
})

test('messages below the level are not written', () => {
  const before = lines.length
  log('debug', 'detail')
  expect(lines).toHaveLength(before)
  log('info', 'news')
  expect(lines).toHaveLength(before + 1)
})
