import { describe, expect, it } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { readFlags, readOwnFlags, schemaFrom, UnknownFlag, type ToolSchema } from './flags.ts'

const schema: ToolSchema = {
  properties: {
    command: { type: 'string' },
    timeout_ms: { type: 'integer' },
    share: { type: ['null', 'number'] },
    append: { type: 'boolean' },
    ids: { type: 'array', items: { type: 'string' } },
    lines: { type: 'array', items: { type: 'integer' } },
    env: { type: 'object' },
    state: {},
  },
  required: [],
}
const args = (...words: string[]): JsonObject => readFlags(words, schema).args

describe('values', () => {
  it.each<[string[], JsonObject]>([
    [['--command', 'ls -l'], { command: 'ls -l' }],
    [['--command=a=b'], { command: 'a=b' }],
    [['--command', '--help'], { command: '--help' }],
    [['--command', ''], { command: '' }],
    [['--command', '12'], { command: '12' }],
    [['--timeout_ms', '1000', '--share=-0.5'], { timeout_ms: 1000, share: -0.5 }],
    [['--timeout-ms', '7'], { timeout_ms: 7 }],
    [['--append', '--command', 'x'], { append: true, command: 'x' }],
    [['--append=false'], { append: false }],
    [['--append', 'false'], { append: false }],
    [['--no-append'], { append: false }],
    [['--ids', 'a', '--ids', '[b]'], { ids: ['a', '[b]'] }],
    [['--lines', '1', '--lines', '2'], { lines: [1, 2] }],
    [['--env', '{"A":"1"}'], { env: { A: '1' } }],
    [['--state', '{"a":[1]}'], { state: { a: [1] } }],
    [['--state', '[not json'], { state: '[not json' }],
    [['--state', 'a', '--state', 'b', '--state', 'c'], { state: ['a', 'b', 'c'] }],
  ])('%j', (words, meant) => {
    expect(args(...words)).toEqual(meant)
  })
})

describe('errors', () => {
  it.each([
    [['--comand', 'x'], 'unknown flag --comand; did you mean --command?'],
    [['--token=abc'], 'unknown flag --token'],
    [['--jsn'], 'unknown flag --jsn; did you mean --json?'],
    [['--constructor', 'x'], 'unknown flag --constructor'],
    [['--no-command'], 'unknown flag --no-command; did you mean --command?'],
    [['ls'], 'arguments must be flags, such as --name value'],
    [['--', 'ls'], 'arguments must be flags, such as --name value'],
    [['--command'], '--command needs a value'],
    [['--command', 'a', '--command', 'b'], '--command is given twice'],
    [['--timeout_ms', 'soon'], '--timeout_ms must be a number'],
    [['--timeout_ms', ''], '--timeout_ms must be a number'],
    [['--append=yes'], '--append must be true or false'],
    [['--env', 'A=1'], '--env must be JSON'],
  ])('%j: %s', (words, message) => {
    expect(() => args(...words)).toThrow(expect.objectContaining({ code: 'USAGE', message }))
  })

  it('distinguishes a flag that another schema may have from other errors', () => {
    expect(() => args('--else', '1')).toThrow(UnknownFlag)
    expect(() => args('--timeout_ms', 'x')).not.toThrow(UnknownFlag)
  })

  it('reports missing flags, except with --help', () => {
    const needy = { ...schema, required: ['command', 'ids'] }
    const message = '--command, --ids are missing: pass all arguments as flags, or all as JSON on stdin'
    expect(() => readFlags(['--append'], needy)).toThrow(expect.objectContaining({ message }))
    expect(() => readFlags(['--ids', 'a'], needy)).toThrow(/^--command is missing/)
    expect(readFlags(['--append', '--help'], needy)).toMatchObject({ help: true })
  })
})

it('recognizes its own options', () => {
  expect(readOwnFlags([])).toEqual({ args: {}, hasArguments: false, help: false, json: false })
  expect(readOwnFlags(['--json', '-h'])).toMatchObject({ help: true, json: true })
  expect(readOwnFlags(['--json', '--command'])).toBeUndefined()
  expect(readOwnFlags(['__proto__'])).toBeUndefined()
  expect(readFlags(['--json', '--command', '--json'], schema)).toMatchObject({
    args: { command: '--json' },
    json: true,
  })
})

it.each([[null], [[]], [{ properties: [] }], [{ required: 'x' }]])('%j is not a schema', (value) => {
  expect(schemaFrom(value)).toBeUndefined()
})

it('omits empty parts of a schema', () => {
  expect(schemaFrom({ properties: { a: true, b: { type: 'string' } }, required: [1, 'b'] })).toEqual({
    properties: { b: { type: 'string' } },
    required: ['b'],
  })
})
