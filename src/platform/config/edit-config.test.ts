import * as fc from 'fast-check'
import { stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'

import { CodedError } from '../../core/errors/errors.ts'
import { settings, type ConfigKey, type ConfigValue } from './config-schema.ts'
import { findSetting, parseSettingValue, setKey } from './edit-config.ts'
import { parseConfig } from './load-config.ts'

const keys = [...settings().values()].filter(({ type }) => type !== 'object').map(({ key }) => key)

/** Any value that the schema accepts, so new keys need no change here. */
function valueOf(key: ConfigKey): fc.Arbitrary<ConfigValue> {
  const { type, expected } = settings().get(key)!
  if (key === 'sandbox.env')
    return fc.array(fc.stringMatching(/^[A-Z]{1,5}(=[a-z ]{0,5})?$/), { maxLength: 3 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'array') return fc.array(fc.string({ minLength: 1 }), { maxLength: 3 })
  if (type === 'integer') {
    const [min, max] = expected.match(/\d+/g)!.map(Number)
    return fc.integer({ min: min!, max: max! })
  }
  if (expected.startsWith('an https address'))
    return fc.constantFrom('https://models.example/v1', 'http://127.0.0.1:8080')
  if (expected.startsWith('empty, none'))
    return fc.constantFrom('', 'none', 'http://proxy.example:8080', 'https://[::1]')
  const choices = /^one of (.*)$/.exec(expected)?.[1]
  return choices === undefined
    ? fc.string({ minLength: 1, unit: 'grapheme' })
    : fc.constantFrom(...choices.split(', '))
}
const change = fc.constantFrom(...keys).chain((key) => fc.tuple(fc.constant(key), valueOf(key)))

const literal = (value: ConfigValue): string => stringify({ value }).slice('value = '.length).trimEnd()

/** A document in pieces; a key's piece is the text of its value, so a test knows what an edit may change. */
interface Piece {
  readonly text: string
  readonly key?: ConfigKey
}
type Style = 'header' | 'dotted' | 'inline'

const document: fc.Arbitrary<Piece[]> = fc
  .record({
    values: fc.record(Object.fromEntries(keys.map((key) => [key, valueOf(key)])), { requiredKeys: [] }),
    styles: fc.array(fc.constantFrom<Style>('header', 'dotted', 'inline'), { minLength: 20, maxLength: 20 }),
    comment: fc.constantFrom('', ' # port = 1', '\t# [http] "', ' '),
    indent: fc.constantFrom('', '  ', '\t'),
    between: fc.constantFrom('', '\n', '# [log]\n\n'),
    eol: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
    end: fc.constantFrom('', '\n', '\n\n', '\n# end'),
  })
  .map(({ values, styles, comment, indent, between, eol, mark, end }) => {
    const sections = [...new Set(keys.map((key) => key.split('.')[0] ?? ''))]
    const written = sections.map((section, index) => {
      const present = Object.entries(values).filter(([key]) => key.startsWith(`${section}.`)) as [
        ConfigKey,
        ConfigValue,
      ][]
      return { section, present, style: styles[index] ?? 'header' }
    })
    // Keys without a header must precede the first one.
    const order = { inline: 0, dotted: 0, header: 1 }
    const pieces: Piece[] = [{ text: mark }]
    for (const { section, present, style } of written.toSorted((a, b) => order[a.style] - order[b.style])) {
      if (present.length === 0) continue
      const name = (key: ConfigKey): string => (style === 'dotted' ? key : (key.split('.')[1] ?? ''))
      if (style === 'inline') {
        pieces.push({ text: `${section} = {` })
        for (const [index, [key, value]] of present.entries()) {
          pieces.push({ text: `${index === 0 ? ' ' : ', '}${name(key)} = ` }, { text: literal(value), key })
        }
        pieces.push({ text: ` }${comment}\n${between}` })
        continue
      }
      if (style === 'header') pieces.push({ text: `[${section}]${comment}\n` })
      for (const [key, value] of present) {
        pieces.push(
          { text: `${indent}${name(key)} = ` },
          { text: literal(value), key },
          { text: `${comment}\n` },
        )
      }
      pieces.push({ text: between })
    }
    const last = pieces.pop() ?? { text: '' }
    pieces.push({ text: last.text.replace(/\n*$/, end) })
    return pieces.map(({ text, key }): Piece => {
      const broken = text.replaceAll('\n', eol)
      return key === undefined ? { text: broken } : { text: broken, key }
    })
  })

const textOf = (pieces: readonly Piece[]): string => pieces.map((piece) => piece.text).join('')
const valuesIn = (text: string): Record<string, unknown> => {
  const flat: Record<string, unknown> = {}
  for (const [section, values] of Object.entries(parseConfig(Buffer.from(text), 'f'))) {
    for (const [name, value] of Object.entries(values)) flat[`${section}.${name}`] = value
  }
  return flat
}
const codeOf = (run: () => unknown): { code: string; message: string } => {
  try {
    run()
  } catch (error) {
    if (error instanceof CodedError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('setKey', () => {
  it('sets the key and preserves all other values', () => {
    fc.assert(
      fc.property(document, change, (pieces, [key, value]) => {
        const text = textOf(pieces)
        expect(valuesIn(setKey(text, key, value))).toEqual({ ...valuesIn(text), [key]: value })
      }),
      { numRuns: 150 },
    )
  })

  it('changes nothing but the value it replaces or the line it adds', () => {
    fc.assert(
      fc.property(document, change, (pieces, [key, value]) => {
        const edited = setKey(textOf(pieces), key, value)
        const own = pieces.findIndex((piece) => piece.key === key)
        if (own !== -1) {
          expect(edited).toBe(textOf(pieces.with(own, { text: literal(value) })))
          return
        }
        const text = textOf(pieces)
        const added = edited.length - text.length
        let same = 0
        while (same < text.length && text[same] === edited[same]) same++
        // Apart from the added part, everything after the first difference must be unchanged.
        expect(added).toBeGreaterThan(0)
        expect(edited.endsWith(text.slice(same))).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['an empty file', '', '[http]\nport = 8080\n'],
    ['a table', '[http]\nhost = "a" # c\n\n[log]\n', '[http]\nhost = "a" # c\nport = 8080\n\n[log]\n'],
    ['an empty table', '[http] # c\n\n[log]', '[http] # c\nport = 8080\n\n[log]'],
    ['a value with a comment', '[http]\nport = 1 # c', '[http]\nport = 8080 # c'],
    ['a quoted key', '["http"]\n"port" = 1', '["http"]\n"port" = 8080'],
    ['dotted keys', 'http.host = "a"\n[log]\n', 'http.host = "a"\nhttp.port = 8080\n[log]\n'],
    ['an inline table', 'http = { host = "a" }', 'http = { host = "a", port = 8080 }'],
    [
      'an inline table with a comma at its end',
      'http = { host = "a", }',
      'http = { host = "a", port = 8080, }',
    ],
    ['an empty inline table', 'http = {}', 'http = { port = 8080 }'],
    ['Windows line breaks', '[log]\r\n', '[log]\r\n\r\n[http]\r\nport = 8080\r\n'],
    ['no final line break', '[log]\nlevel = "info"', '[log]\nlevel = "info"\n\n[http]\nport = 8080'],
    ['no line break in the table', '  [http]', '  [http]\n  port = 8080'],
    ['an indented table', '[http]\n\thost = "a"\n', '[http]\n\thost = "a"\n\tport = 8080\n'],
    ['a commented-out key', '[http]\n# port = 1\n', '[http]\nport = 8080\n# port = 1\n'],
    [
      'a list over several lines',
      '[http]\nallowed_hosts = [\n "a", # c\n]\n# d\n',
      '[http]\nallowed_hosts = [\n "a", # c\n]\nport = 8080\n# d\n',
    ],
    [
      'a file with a table inside the section',
      '[http]\n[model.providers.a]\nurl = "https://a"\napi = "openai"\n',
      '[http]\nport = 8080\n[model.providers.a]\nurl = "https://a"\napi = "openai"\n',
    ],
    ['the value that was invalid', '[http]\nport = "x"', '[http]\nport = 8080'],
  ])('writes into %s', (_, before, after) => {
    expect(setKey(before, 'http.port', 8080)).toBe(after)
  })

  it('rejects an unknown key and suggests the nearest', () => {
    expect(codeOf(() => setKey('', 'http.prot', 1))).toEqual({
      code: 'USAGE',
      message: 'there is no key http.prot; did you mean http.port?',
    })
    expect(codeOf(() => setKey('', '__proto__.x', 1)).message).toBe('there is no key __proto__.x')
  })

  it.each<[ConfigKey, ConfigValue, string]>([
    ['http.port', 65_536, 'http.port must be an integer from 0 to 65535'],
    ['http.port', '80', 'http.port must be an integer from 0 to 65535'],
    ['http.host', '', 'http.host must be a non-empty string'],
    ['budget.tokenizer', 'o300k', 'budget.tokenizer must be one of estimate, o200k'],
    ['audit.vault', 1, 'audit.vault must be true or false'],
    ['http.allowed_hosts', 'a', 'http.allowed_hosts must be a list of strings'],
    [
      'model.openai',
      'http://models.example',
      'model.openai must be an https address, or http to this machine, without credentials, `?` and `#`',
    ],
    [
      'model.proxy',
      'http://me:password@proxy.example',
      'model.proxy must be empty, none, or an http or https address without credentials (put those in HTTPS_PROXY)',
    ],
  ])('rejects an invalid value for %s', (key, value, message) => {
    expect(codeOf(() => setKey('', key, value))).toEqual({ code: 'USAGE', message })
  })

  it('rejects a file with another error, and reports its position', () => {
    const broken = '# first\n[log]\nlevle = "info"\n'
    expect(codeOf(() => setKey(broken, 'http.port', 1, 'c.toml'))).toEqual({
      code: 'CONFIG_INVALID',
      message: 'c.toml:3:1: there is no key log.levle; did you mean log.level?',
    })
    expect(codeOf(() => setKey('[[http]]', 'http.port', 1, 'c.toml')).message).toBe(
      'c.toml:1:1: http must be a table',
    )
    expect(codeOf(() => setKey('[http', 'http.port', 1, 'c.toml')).code).toBe('CONFIG_INVALID')
  })
})

describe('parseSettingValue', () => {
  it.each<[ConfigKey, string, ConfigValue]>([
    ['http.port', '8080', 8080],
    ['http.host', '8080', '8080'],
    ['audit.vault', 'true', true],
    ['audit.vault', 'false', false],
    ['http.allowed_hosts', 'a.example, b.example', ['a.example', 'b.example']],
    ['http.allowed_hosts', '', []],
  ])('parses %s from "%s"', (key, typed, value) => {
    expect(parseSettingValue(findSetting(key), typed)).toEqual(value)
  })

  it.each<[ConfigKey, string]>([
    ['model.providers', '{}'],
    ['http.port', '80.5'],
    ['http.port', '0x50'],
    ['http.port', ''],
    ['audit.vault', 'yes'],
  ])('rejects %s from "%s"', (key, typed) => {
    expect(codeOf(() => parseSettingValue(findSetting(key), typed)).code).toBe('USAGE')
  })
})
