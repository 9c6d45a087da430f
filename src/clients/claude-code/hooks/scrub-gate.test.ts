import { expect, test } from 'vitest'

import { createOutputGate, fullAt } from './scrub-gate.ts'

function gateWith(text: string): ReturnType<typeof createOutputGate> {
  const gate = createOutputGate()
  gate.add(text)
  return gate
}

test('a short output waits for the end, and then passes as a whole', () => {
  const gate = gateWith('one\ntwo\nthree')
  expect(gate.take('full')).toBeUndefined()
  expect(gate.take('end')).toEqual({ before: '', text: 'one\ntwo\nthree' })
  expect(gate.take('end')).toBeUndefined()
})

test('in a quiet moment whole lines pass, and the next part knows what was before it', () => {
  const gate = gateWith('one\ntwo\nthr')
  expect(gate.take('quiet')).toEqual({ before: '', text: 'one\ntwo\n' })
  expect(gate.take('quiet')).toBeUndefined()
  gate.add('ee\n')
  expect(gate.take('quiet')).toEqual({ before: 'one\ntwo\n', text: 'three\n' })
})

test('a key that has begun is waited for', () => {
  const gate = gateWith('a\n-----BEGIN KEY-----\nabc\n')
  expect(gate.take('quiet')).toMatchObject({ text: 'a\n' })
  expect(gate.take('quiet')).toBeUndefined()
  gate.add('def\n-----END KEY-----\n')
  expect(gate.take('quiet')).toMatchObject({ text: '-----BEGIN KEY-----\nabc\ndef\n-----END KEY-----\n' })
})

test('but not for ever', () => {
  const gate = gateWith('-----BEGIN KEY-----\n')
  gate.add('abc\n'.repeat(20_000))
  expect(gate.take('quiet')?.text).toHaveLength(20 + 80_000)
})

test('a long output passes in parts that end with a line, and nothing is lost', () => {
  const line = `${'x'.repeat(99)}\n`
  const gate = gateWith(line.repeat(fullAt / 50))
  const parts: string[] = []
  for (let part = gate.take('full'); part !== undefined; part = gate.take('full')) {
    expect(part.before.length).toBeLessThanOrEqual(4096)
    parts.push(part.text)
  }
  expect(parts.length).toBeGreaterThan(0)
  expect(parts.every((part) => part.endsWith('\n'))).toBe(true)
  expect(gate.size).toBeGreaterThan(0)
  expect(parts.join('') + (gate.take('end')?.text ?? '')).toBe(line.repeat(fullAt / 50))
})

test('a line that is too long is cut where no value stands', () => {
  const value = 'v'.repeat(40)
  const gate = gateWith(`"${value}",`.repeat(fullAt / 40))
  expect(gate.take('full')?.text).toMatch(/[",]$/)
})

test('one endless line passes too', () => {
  const gate = gateWith('x'.repeat(2 * fullAt))
  expect(gate.take('full')?.text.length).toBeGreaterThan(fullAt)
})
