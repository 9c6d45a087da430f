import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { manifestJsonSchema, parseManifest } from './manifest.ts'

const parse = (text: string) => parseManifest(Buffer.from(text))

it('is what schema/tool-capabilities.schema.json holds', () => {
  const file = new URL('../../../schema/tool-capabilities.schema.json', import.meta.url)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(manifestJsonSchema())))
})

it('reads everything there is', () => {
  const text = `
[component]
name = "weather"
version = "1.2.0"
description = "Asks a weather service."
executable = "main.py"
[capabilities]
required = ["http:fetch:GET@api.example.com", "fs:read:config/**"]
optional = ["fs:write:out/**"]
[limits]
max_execution_time = "10s"
max_memory = "64MB"
max_output_size = 4096
`
  expect(parse(text)).toEqual({
    ok: true,
    value: {
      name: 'weather',
      version: '1.2.0',
      description: 'Asks a weather service.',
      executable: 'main.py',
      required: [
        { kind: 'http:fetch', scope: 'GET@api.example.com' },
        { kind: 'fs:read', scope: 'config/**' },
      ],
      optional: [{ kind: 'fs:write', scope: 'out/**' }],
      limits: { timeMs: 10_000, memoryBytes: 67_108_864, outputBytes: 4096 },
    },
  })
})

it('needs no more than a name', () => {
  expect(parse('[component]\nname = "a"')).toEqual({
    ok: true,
    value: { name: 'a', required: [], optional: [], limits: {} },
  })
})

describe('says what is wrong and where', () => {
  it('with everything at once', () => {
    const text = `[component]
nmae = "weather"
name = "Weather"

[capabilities]
required = ["fs:read:src/**", "net:all"]
optional = ["fs:write:*.ts"]

[limits]
max_memory = "lots"
`
    expect(parse(text)).toEqual({
      ok: false,
      problems: [
        'capabilities.toml:3:1: component.name: expected 1 to 32 lower-case letters, digits, "_" and "-", starting with a letter',
        'capabilities.toml:2:1: component.nmae: unknown key "nmae"; did you mean "name"?',
        expect.stringMatching(
          /^capabilities\.toml:6:31: capabilities\.required\.1: expected a capability: fs:read, /,
        ) as string,
        'capabilities.toml:7:13: capabilities.optional.0: a tool can get whole folders (src/**) or single files, no other patterns',
        'capabilities.toml:10:1: limits.max_memory: expected a size such as "64MB", or bytes',
      ],
    })
  })

  it.each([
    ['no UTF-8', Buffer.from([0xff, 0xfe]), 'capabilities.toml: is not UTF-8 text'],
    ['no TOML', Buffer.from('[component\n'), /^capabilities\.toml:1:\d+: /],
    ['nothing', Buffer.from(''), 'capabilities.toml: component: expected an object, found nothing'],
    [
      'no name',
      Buffer.from('[component]\n'),
      'capabilities.toml:1:1: component.name: expected a string, found nothing',
    ],
    [
      'the same twice',
      Buffer.from(
        '[component]\nname = "a"\n[capabilities]\nrequired = ["fs:read:a"]\noptional = ["memory:read", "fs:read:a"]',
      ),
      'capabilities.toml:5:28: capabilities.optional.1: is required already',
    ],
  ])('with %s', (_, bytes, problem) => {
    const parsed = parseManifest(bytes)
    expect(parsed.ok ? [] : parsed.problems).toEqual([
      typeof problem === 'string' ? problem : (expect.stringMatching(problem) as string),
    ])
  })
})
