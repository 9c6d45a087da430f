import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { addServer, removeServer } from './edit-servers.ts'

const file = { path: 'servers.json', role: 'user' } as const
const add = (text: string | undefined, name = 'new', entry: object = { command: 'x' }): string =>
  addServer(text, name, entry as Parameters<typeof addServer>[2], file)
const remove = (text: string, name: string): string | undefined => removeServer(text, name, file)

const grown = `{
    "$schema":   "x",
    "mcpServers": {
        "b": { "command": "b", "args": ["-y",   "}{"] },
        "a": {
            "url": "https://a.example"
        }
    },
    "mine": [1,2.50]
}
`

describe('add', () => {
  it('creates a file', () => {
    expect(add(undefined)).toBe('{\n  "mcpServers": {\n    "new": {\n      "command": "x"\n    }\n  }\n}\n')
  })

  it("appends the entry with the file's indentation and preserves the rest", () => {
    expect(add(grown)).toBe(
      grown.replace(
        'example"\n        }\n',
        'example"\n        },\n        "new": {\n            "command": "x"\n        }\n',
      ),
    )
  })

  it.each([
    ['{"mcpServers":{}}', '{"mcpServers":{"new": {"command":"x"}}}'],
    ['{"mcpServers":{"a":{"command":"a"}}}', '{"mcpServers":{"a":{"command":"a"}, "new": {"command":"x"}}}'],
    [
      '{\r\n\t"mcpServers": { }\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t"new": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}',
    ],
    ['\uFEFF{"mcpServers": {}}', '\uFEFF{"mcpServers": {"new": {"command":"x"}}}'],
    [
      '{\n  "mcpServers": { "a": {"command": "a"} }\n}',
      '{\n  "mcpServers": { "a": {"command": "a"}, "new": {"command":"x"} }\n}',
    ],
  ])('%j', (before, after) => {
    expect(add(before)).toBe(after)
  })

  it.each<[string, () => string, object]>([
    ['a server that is there', () => add(grown, 'a'), { code: 'USAGE' }],
    ['a name that cannot be', () => add(grown, 'a__b'), { code: 'USAGE' }],
    ['a name that is listed like another', () => add(add(grown, 'c.d'), 'c_d'), { code: 'USAGE' }],
    ['an entry that cannot be', () => add(grown, 'n', { url: 'x' }), { code: 'USAGE' }],
    ['a file that is wrong', () => add('{"mcpServers": []}'), { code: 'SERVERS_INVALID' }],
    ['a file that is no JSON', () => add('{'), { code: 'SERVERS_INVALID' }],
  ])('refuses %s', (_, work, error) => {
    expect(work).toThrow(expect.objectContaining(error))
  })
})

describe('remove', () => {
  it('removes the first, last or only entry', () => {
    const withoutB = remove(grown, 'b') ?? ''
    expect(withoutB).toBe(grown.replace(/"b": .*\n +/, ''))
    expect(remove(grown, 'a')).toBe(grown.replace(/,\n +"a": \{[^}]*\}/, ''))
    expect(remove(withoutB, 'a')).toBe(
      grown.replace(/"mcpServers": \{[^]*?\},\n {4}"mine"/, '"mcpServers": {},\n    "mine"'),
    )
  })

  it('returns undefined for an unknown name', () => {
    expect(remove(grown, 'c')).toBeUndefined()
  })
})

it('adding and removing restores the original text', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-m0-9]{1,6}$/), { maxLength: 4 })
  const entries = fc.record({
    command: fc.constant('x'),
    args: fc.array(fc.string()),
    env: fc.dictionary(fc.stringMatching(/^[A-Z]+$/), fc.string()),
  })
  fc.assert(
    fc.property(
      names,
      entries,
      fc.constantFrom(0, 2, '\t'),
      fc.constantFrom('a', 'z'),
      (all, entry, indent, key) => {
        const document = {
          [`${key}1`]: '}"{',
          mcpServers: Object.fromEntries(all.map((name) => [name, entry])),
        }
        const text = JSON.stringify(document, null, indent)
        const longer = add(text, 'new', entry)
        const { mcpServers } = JSON.parse(longer) as typeof document
        expect(mcpServers).toEqual({ ...document.mcpServers, new: entry })
        const back = remove(longer, 'new')
        if (all.length > 0) expect(back).toBe(text)
        else expect(JSON.parse(back ?? '')).toEqual(document)
      },
    ),
  )
})
