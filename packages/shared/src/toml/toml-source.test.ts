import * as fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'

import { positionAt } from '../json/text-position.ts'
import { scanToml, type TomlEntry, type TomlPath } from './toml-source.ts'

/** The values the scanner finds, by parsing each value's text. */
function leavesByScan(text: string): Map<string, unknown> {
  const leaves = new Map<string, unknown>()
  for (const entry of scanToml(text)) {
    const value =
      entry.kind === 'header' ? {} : parse(`v = ${text.slice(entry.valueStart, entry.valueEnd)}`).v
    leaves.set(JSON.stringify(entry.path), plain(value))
  }
  return leaves
}

function resolve(document: unknown, path: TomlPath): unknown {
  let value = document
  for (const step of path) value = (value as Record<string | number, unknown>)[step]
  return value
}

function leafPaths(value: unknown, path: TomlPath = []): TomlPath[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [path]
  return Object.entries(value).flatMap(([key, item]) =>
    leafPaths(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function expectAgreement(text: string): void {
  const document = parse(text)
  const found = leavesByScan(text)
  for (const path of leafPaths(document)) {
    expect(found.get(JSON.stringify(path)), `${JSON.stringify(path)} in ${text}`).toEqual(
      plain(resolve(document, path)),
    )
  }
  for (const { path, kind } of scanToml(text)) {
    const value = resolve(document, path)
    expect(value, `${JSON.stringify(path)} in ${text}`).toBeDefined()
    if (kind !== 'header') expect(found.get(JSON.stringify(path))).toEqual(plain(value))
  }
}

// Realistic documents: every form of keys, values, tables and whitespace.
const blank = fc.constantFrom('', ' ', '\t', '  ')
const comment = fc.constantFrom('', '# note', '# [not.a.table]', '# key = "no"', '#"')
const bareKey = fc.stringMatching(/^[A-Za-z0-9_-]{1,4}$/)
const keyPart = fc.oneof(
  { weight: 4, arbitrary: bareKey },
  fc
    .string({ maxLength: 4 })
    .filter((text) => !/\p{Cc}|__proto__/u.test(text))
    .map((text) => JSON.stringify(text)),
  fc.stringMatching(/^[a-z.=#" [\]]{0,4}$/).map((text) => `'${text}'`),
)
const key = fc
  .tuple(fc.array(keyPart, { minLength: 1, maxLength: 3 }), blank)
  .map(([parts, space]) => parts.join(`${space}.${space}`))
const scalar = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('true', 'false', '0xFF', '1_000', '-2.5e3', '+inf', 'nan'),
  fc.constantFrom('1979-05-27', '07:32:00', '1979-05-27T07:32:00Z', '1979-05-27 07:32:00.5'),
  fc
    .string({ maxLength: 8 })
    .filter((text) => !/\p{Cc}/u.test(text))
    .map((text) => JSON.stringify(text)),
  fc.stringMatching(/^[a-z#=,"[\]{} ]{0,6}$/).map((text) => `'${text}'`),
  fc.stringMatching(/^[a-z#=,'\n[\]{} ]{0,8}$/).map((text) => `"""${text}"""`),
  fc.stringMatching(/^[a-z#=,"\\\n]{0,8}$/).map((text) => `'''${text}'''`),
  fc.constantFrom('"""a""""', '""""b"""""', `'''c''''`, '"""\\\n  d"""', '"\\"#"', '"\\\\"', '"""\\""""'),
)
const { value } = fc.letrec<{ value: string; array: string; table: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('array'), tie('table')),
  array: fc
    .tuple(fc.array(tie('value'), { maxLength: 3 }), fc.constantFrom(', ', ',', ',\n', ' # c,]\n,'), blank)
    .map(([items, comma, space]) => `[${space}${items.join(comma)}${space}]`),
  table: fc
    .tuple(
      fc.uniqueArray(bareKey, { maxLength: 3 }),
      fc.array(tie('value'), { minLength: 3, maxLength: 3 }),
      blank,
    )
    .map(
      ([keys, values, space]) =>
        `{${space}${keys.map((k, i) => `${k}${space}= ${values[i]}`).join(', ')}${space}}`,
    ),
}))
const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(blank, key, blank, value, blank, comment)
      .map(([a, k, b, v, c, d]) => `${a}${k}${b}=${b}${v}${c}${d}`),
  },
  fc.tuple(blank, key, comment).map(([a, k, c]) => `[${a}${k}${a}]${a}${c}`),
  fc.tuple(blank, key, comment).map(([a, k, c]) => `[[${a}${k}${a}]]${a}${c}`),
  comment,
)

/** Keeps the lines with which the document is valid, so that no example is wasted. */
const toml = fc
  .tuple(fc.array(line, { maxLength: 10 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\uFEFF'))
  .map(([lines, eol, mark]) => {
    const kept: string[] = []
    for (const next of lines) {
      try {
        parse([...kept, next].join('\n'))
        kept.push(next)
      } catch {
        // Not valid here: omitted.
      }
    }
    return mark + kept.join('\n').replaceAll('\n', eol)
  })

const find = (text: string, path: TomlPath): TomlEntry | undefined =>
  scanToml(text).find((entry) => JSON.stringify(entry.path) === JSON.stringify(path))

describe('scanToml', () => {
  it('agrees with the parser on every key and value', () => {
    fc.assert(fc.property(toml, expectAgreement), { numRuns: 300 })
  })

  it('finds keys in tables, dotted keys, inline tables, arrays and arrays of tables', () => {
    const text = `top = 1\n[http]\nport = 7391 # c\n"allowed_hosts" = [ "a", 'b' ]\n[x]\ny.z = { k = 2 }\n[[t]]\na = 1\n[[t]]\n[t.u]\na = 2\n`
    const where = (path: TomlPath): string => {
      const entry = find(text, path)
      if (entry === undefined) return 'nowhere'
      const { line, column } = positionAt(text, entry.start)
      return `${line}:${column} ${text.slice(entry.valueStart, entry.valueEnd)}`
    }
    expect(where(['top'])).toBe('1:1 1')
    expect(where(['http', 'port'])).toBe('3:1 7391')
    expect(where(['http', 'allowed_hosts'])).toBe(`4:1 [ "a", 'b' ]`)
    expect(where(['http', 'allowed_hosts', 1])).toBe(`4:26 'b'`)
    expect(where(['x', 'y', 'z', 'k'])).toBe('6:9 2')
    expect(where(['t', 0, 'a'])).toBe('8:1 1')
    expect(where(['t', 1, 'u', 'a'])).toBe('11:1 2')
    expect(where(['t', 2])).toBe('nowhere')
  })

  it('reports the table of an entry', () => {
    expect(find('[http]\nport = 1', ['http', 'port'])?.home).toEqual(['http'])
    expect(find('http.port = 1', ['http', 'port'])?.home).toEqual([])
    expect(find('http = { port = 1 }', ['http', 'port'])?.home).toEqual(['http'])
  })

  it('terminates on any text, valid or not', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a="'[\]{},.#\n ]*$/)), (text) => {
        try {
          expect(scanToml(text)).toBeInstanceOf(Array)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
    )
  })
})
