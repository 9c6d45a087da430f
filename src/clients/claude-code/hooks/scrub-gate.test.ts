import { expect, test } from 'vitest'

import { createOutputGate, fullAt } from './scrub-gate.ts'

function gateWith(text: string): ReturnType<typeof createOutputGate> {
  const gate = createOutputGate()
  gate.add(text)
  return gate
}

test('passes short output at once, at the end', () => {
  const gate = gateWith('one\ntwo\nthree')
  expect(gate.take('full')).toBeUndefined()
  expect(gate.take('end')).toEqual({ before: '', text: 'one\ntwo\nthree' })
  expect(gate.take('end')).toBeUndefined()
})

test('during a pause, passes complete lines, and the next part includes them as context', () => {
  const gate = gateWith('one\ntwo\nthr')
  expect(gate.take('quiet')).toEqual({ before: '', text: 'one\ntwo\n' })
  expect(gate.take('quiet')).toBeUndefined()
  gate.add('ee\n')
  expect(gate.take('quiet')).toEqual({ before: 'one\ntwo\n', text: 'three\n' })
})

test('retains an incomplete key', () => {
  const gate = gateWith('a\n-----BEGIN KEY-----\nabc\n')
  expect(gate.take('quiet')).toMatchObject({ text: 'a\n' })
  expect(gate.take('quiet')).toBeUndefined()
  gate.add('def\n-----END KEY-----\n')
  expect(gate.take('quiet')).toMatchObject({ text: '-----BEGIN KEY-----\nabc\ndef\n-----END KEY-----\n' })
})

test('but only up to a limit', () => {
  const gate = gateWith('-----BEGIN KEY-----\n')
  gate.add('abc\n'.repeat(20_000))
  expect(gate.take('quiet')?.text).toHaveLength(20 + 80_000)
})

test('passes long output in parts that end with a line, without losing any', () => {
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

test('splits a line that is too long between values', () => {
  const value = 'v'.repeat(40)
  const gate = gateWith(`"${value}",`.repeat(fullAt / 40))
  expect(gate.take('full')?.text).toMatch(/[",]$/)
})

test('also passes a single endless line', () => {
  const gate = gateWith('x'.repeat(2 * fullAt))
  expect(gate.take('full')?.text.length).toBeGreaterThan(fullAt)
})
