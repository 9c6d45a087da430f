import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'

import { parseYaml } from './yaml-source.ts'

describe('parseYaml', () => {
  it('reads simple lines as a parser of YAML does, at the same places', () => {
    const scraps = fc.constantFrom(
      ...'a B1 word #c x#y :d e: f:g : # - "q" \'s true Null ~ 5 [l] {m} &n *o | > % @ ` , . é --- \t'.split(
        ' ',
      ),
      ' ',
      '  ',
    )
    const values = fc.array(scraps, { maxLength: 5 }).map((parts) => parts.join(''))
    const keys = fc.constantFrom('name', 'tools', 'a-b', 'C_1')
    const lines = fc.array(fc.tuple(keys, fc.constantFrom(': ', ':  ', ':\t', ':'), values), { maxLength: 4 })
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), (parts, eol) => {
        const yaml = parts.map(([key, colon, value]) => `${key}${colon}${value}`).join(eol)
        const read = parseYaml(yaml, { uniqueKeys: false })
        let expected: unknown
        try {
          expected = parse(yaml, { schema: 'core', uniqueKeys: false, logLevel: 'error' })
        } catch {
          expect(read.ok).toBe(false)
          return
        }
        if (!read.ok) throw new Error(`${read.message}: ${yaml}`)
        expect(read.value).toEqual(expected !== null && typeof expected === 'object' ? expected : {})
        for (const [key, value] of Object.entries(read.value)) {
          const [name, place] = [read.range([key], 'key'), read.range([key], 'value')]
          // What has a list or an object as its key is of no use to anybody.
          if (name === undefined || place === undefined) continue
          expect(yaml.slice(...name)).toBe(key)
          const written = yaml.slice(...place)
          if (typeof value === 'string' && /^\w/.test(written)) expect(written).toBe(value)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('knows the keys that are void', () => {
    const read = parseYaml('a: x\nb: y\na: z', { uniqueKeys: false })
    expect(read).toMatchObject({ value: { a: 'z' }, voided: [{ key: 'a', range: [0, 1] }] })
    expect(parseYaml('a: x\na: z', { uniqueKeys: true })).toMatchObject({ ok: false, offset: 5 })
  })

  it.each([
    ['lists in brackets', (depth: number) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}`, 3 + 200],
    ['objects in braces', (depth: number) => `a: ${'{b: '.repeat(depth)}${'}'.repeat(depth)}`, 3 + 800],
    ['dashes on one line', (depth: number) => `a:\n  ${'- '.repeat(depth - 1)}x`, 5],
    ['keys on one line', (depth: number) => `${'? '.repeat(depth - 1)}x`, 0],
  ])('refuses %s that go deeper than anybody means, and reads those that do not', (_, nested, offset) => {
    const refused = { ok: false, message: 'it is nested too deep', offset }
    for (const depth of [201, 15_000])
      expect(parseYaml(nested(depth), { uniqueKeys: false })).toEqual(refused)
    expect(parseYaml(nested(200), { uniqueKeys: false })).toMatchObject({ ok: true })
  })

  it('reads one long gap', () => {
    const gap = ' '.repeat(60_000)
    expect(parseYaml(`a: b${gap}c${gap}\r\n`, { uniqueKeys: false })).toMatchObject({
      value: { a: `b${gap}c` },
    })
  })

  it('says nothing on its own of what the text holds', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    try {
      const yaml = '? [a, "\\e[31m"]\n: b\nc: d'
      expect(parseYaml(yaml, { uniqueKeys: false })).toMatchObject({ ok: true, value: { c: 'd' } })
      expect(warn).not.toHaveBeenCalled()
      parse(yaml)
      expect(warn).toHaveBeenCalledOnce()
    } finally {
      warn.mockRestore()
    }
  })
})
