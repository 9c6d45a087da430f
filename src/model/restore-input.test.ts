import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { createInputRestorer, type RestoredToken, type RestorePorts } from './restore-input.ts'
import { createFileReader } from '../platform/files/written-file.ts'

const key = '-----BEGIN KEY-----\nMIIE1\nMIIE2\n-----END KEY-----'
const values = new Map([
  ['[SECRET_1]', 'first-value'],
  ['[SECRET_2]', 'a "quoted"\\value'],
  ['[SECRET_3]', key],
  ['[SECRET_4]', '-----BEGIN KEY-----\n     3\tMIIE1\n     4\tMIIE2\n     5\t-----END KEY-----'],
])

let folder: string
let notes: string[]
let remembered: [string, readonly RestoredToken[]][]
let ports: RestorePorts
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-restore-'))
  notes = []
  remembered = []
  ports = {
    valuesOf: (tokens) => new Map([...values].filter(([token]) => tokens.has(token))),
    readFile: createFileReader(folder),
    mayReveal: () => () => false,
    remember: (id, restored) => void remembered.push([id, restored]),
    note: (what) => void notes.push(what),
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const restoreText = (tool: string, text: string, form: 'json' | 'text' = 'json'): Promise<string> =>
  createInputRestorer(ports)({ id: 'toolu_1', tool, text, form })
const restore = async (tool: string, input: JsonObject): Promise<JsonObject> =>
  JSON.parse(await restoreText(tool, JSON.stringify(input))) as JsonObject

describe('a file tool', () => {
  test.each([
    ['Edit', 'file_path', { old_string: '[SECRET_1]', new_string: 'x [SECRET_1]' }],
    ['Write', 'file_path', { content: '[SECRET_1]' }],
    ['MultiEdit', 'file_path', { edits: [{ old_string: '[SECRET_1]', new_string: 'x[SECRET_1]' }] }],
    ['NotebookEdit', 'notebook_path', { new_source: '[SECRET_1]' }],
    ['edit', 'filePath', { oldString: '[SECRET_1]', newString: 'x [SECRET_1]' }],
    ['write', 'filePath', { content: '[SECRET_1]' }],
    ['multiedit', 'filePath', { edits: [{ oldString: '[SECRET_1]', newString: 'x' }] }],
    ['write_file', 'file_path', { content: '[SECRET_1]' }],
    ['replace', 'file_path', { old_string: '[SECRET_1]', new_string: 'x [SECRET_1]' }],
  ])('%s gets the value for a file that contains it, and for no other', async (tool, argument, rest) => {
    const has = { [argument]: write('has.env', 'A=1\nB=x-first-value-x\n'), ...rest }
    const others = [write('has-not.env', 'A=1\n'), join(folder, 'new.env'), folder, 'missing/new.env']
    const restored = JSON.parse(JSON.stringify(has).replaceAll('[SECRET_1]', 'first-value'))
    expect(await restore(tool, has)).toEqual(restored)
    expect(remembered).toEqual([['toolu_1', [{ token: '[SECRET_1]', text: 'first-value' }]]])
    for (const other of others) {
      const input = { ...has, [argument]: other }
      expect(await restore(tool, input)).toEqual(input)
    }
    expect(remembered).toHaveLength(1)
    expect(await restore(`${tool}X`, has)).toEqual(has)
    expect(await restore(tool, { ...has, [argument]: 'has.env' })).toEqual({
      ...restored,
      [argument]: 'has.env',
    })
  })

  test('in a format without ids is remembered by what the client receives', async () => {
    write('a.env', 'first-value')
    const text = '{"file_path":"a.env","content":"[SECRET_1]"}'
    const idOf = (restored: string): string => `id of ${restored}`
    const restored = await createInputRestorer(ports)({ id: 'x', idOf, tool: 'Write', text, form: 'json' })
    expect(remembered.map(([id]) => id)).toEqual([idOf(restored)])
    expect(restored).not.toBe(text)
  })

  test('gets each value separately, escaped as JSON, without other changes', async () => {
    write('a.env', `${values.get('[SECRET_2]')}\n${key}`)
    const input = (second: string, third: string): string =>
      String.raw`{ "file_path":"a.env" ,"content":"\u00fc\/[SECRET_1] ${second}\n${third} [SECRET_9]","n":1.0}`
    expect(await restoreText('Write', input('[SECRET_2]', String.raw`\u005bSECRET_3]`))).toBe(
      input(String.raw`a \"quoted\"\\value`, key.replaceAll('\n', String.raw`\n`)),
    )
    expect(notes).toEqual([
      'restore refused: [SECRET_1] in content (not in the file, and no rule)',
      'restored: [SECRET_2] in content (in the file already)',
      'restored: [SECRET_3] in content (in the file already)',
    ])
  })

  test('gets a value without the line numbers it was shown with', async () => {
    write('key.pem', `x\n${key}\n`)
    expect(
      await restore('Edit', { file_path: 'key.pem', old_string: '[SECRET_4]', new_string: 'y' }),
    ).toEqual({
      file_path: 'key.pem',
      old_string: key,
      new_string: 'y',
    })
    expect(remembered).toEqual([['toolu_1', [{ token: '[SECRET_4]', text: key }]]])
  })

  test('follows a link to the file that would be written', async () => {
    write('real.env', 'first-value')
    symlinkSync('real.env', join(folder, 'link.env'))
    const input = { file_path: 'link.env', content: '[SECRET_1]' }
    expect(await restore('Write', input)).toEqual({ ...input, content: 'first-value' })
  })

  test('never gets a value in a file name or argument name', async () => {
    write('[SECRET_1]', 'first-value')
    const input = { file_path: '[SECRET_1]', content: 'x', '[SECRET_1]': { '[SECRET_1]': 'x' } }
    expect(await restore('Write', input)).toEqual(input)
    expect(notes).toEqual([
      'restore refused: [SECRET_1] in file_path (a name)',
      'restore refused: [SECRET_1] in (unknown) (a name)',
    ])
    ports = { ...ports, mayReveal: () => () => true }
    expect(await restore('Write', input)).toEqual(input)
    expect(await restore('Write', { ...input, content: '[SECRET_1]' })).toEqual({
      ...input,
      content: 'first-value',
    })
  })

  test('gets nothing if it names two files', async () => {
    write('a.env', 'first-value')
    const one = '{"file_path":"a.env","content":"[SECRET_1]","edits":[{"file_path":"a.env"}]}'
    expect(await restoreText('Write', one)).toContain('first-value')
    for (const two of [
      one.replace('[{"file_path":"a.env"', '[{"file_path":"b.env"'),
      '{"file_path":"b.env","file_path":"a.env","content":"[SECRET_1]"}',
      '{"edits":[{"file_path":"a.env","content":"[SECRET_1]"}]}',
      '{"file_path":["a.env"],"content":"[SECRET_1]"}',
    ])
      expect(await restoreText('Write', two)).toBe(two)
  })
})

describe('a file that contains a token literally', () => {
  test('keeps it if the file does not contain the value', async () => {
    write('a.md', 'Use [SECRET_1] here.\n')
    const input = { file_path: 'a.md', content: 'Use [SECRET_1] there.\n' }
    expect(await restore('Write', input)).toEqual(input)
    expect(notes).toEqual([])
  })

  test('keeps it in a replacement of that text, and gets the value elsewhere', async () => {
    write('a.md', 'Use [SECRET_1] here.\nkey=first-value\n')
    const literal = { file_path: 'a.md', old_string: '[SECRET_1] here', new_string: '[SECRET_1] there' }
    expect(await restore('Edit', literal)).toEqual(literal)
    const value = { file_path: 'a.md', old_string: 'key=[SECRET_1]', new_string: 'name=[SECRET_1]' }
    expect(await restore('Edit', value)).toEqual({
      file_path: 'a.md',
      old_string: 'key=first-value',
      new_string: 'name=first-value',
    })
    expect(await restore('MultiEdit', { file_path: 'a.md', edits: [literal, value] })).toEqual({
      file_path: 'a.md',
      edits: [literal, { ...value, old_string: 'key=first-value', new_string: 'name=first-value' }],
    })
  })

  test('keeps it in a changed comment, with each kind of tool', async () => {
    write('a.env', '# like [SECRET_1]\nNAME=x\nKEY=first-value\n')
    const inputs: [string, JsonObject, JsonObject?][] = [
      ['Edit', { old_string: '# like [SECRET_1]', new_string: '# such as [SECRET_1]' }],
      ['Edit', { old_string: '# like', new_string: '# such as' }],
      [
        'Write',
        { content: '# such as [SECRET_1]\nNAME=x\nKEY=[SECRET_1]\n' },
        { content: '# such as [SECRET_1]\nNAME=x\nKEY=first-value\n' },
      ],
      ['Write', { content: '# such as [SECRET_1]\nNAME=x\nPASS=[SECRET_1]\n' }],
    ]
    for (const [tool, input, restored = input] of inputs)
      expect(await restore(tool, { file_path: 'a.env', ...input })).toEqual({
        file_path: 'a.env',
        ...restored,
      })
    const patch = '*** Update File: a.env\n@@\n-# like [SECRET_1]\n+# such as [SECRET_1]\n@@\n NAME=x\n'
    const more = '-KEY=[SECRET_1]\n+PASS=[SECRET_1]\n'
    expect(await restoreText('apply_patch', patch + more, 'text')).toBe(
      patch + more.replaceAll('[SECRET_1]', 'first-value'),
    )
  })

  test('keeps it in rewritten lines', async () => {
    write('a.md', 'Use [SECRET_1] here.\r\nkey=first-value\r\n')
    expect(
      await restore('Write', { file_path: 'a.md', content: 'Use [SECRET_1] here.\nkey=[SECRET_1]\nmore\n' }),
    ).toMatchObject({ content: 'Use [SECRET_1] here.\nkey=first-value\nmore\n' })
  })

  test('loses no secret if the same line occurs with both', async () => {
    const line = (one: string, two: string): string => `key=${one} and ${two}\n`
    const [literal, secret] = [line('[SECRET_1]', '[SECRET_2]'), line('first-value', 'a "quoted"\\value')]
    write('a.md', literal + secret)
    const input = { file_path: 'a.md', content: literal + literal }
    expect(await restore('Write', input)).toEqual({ ...input, content: literal + secret })
    const patch = (...lines: string[]): string => `*** Begin Patch\n*** Update File: a.md\n${lines.join('')}`
    // The first of them would be changed, and either could be meant: the hook refuses it.
    const unclear = patch(`-${literal}`, `+${literal}`)
    expect(await restoreText('apply_patch', unclear, 'text')).toBe(unclear)
    expect(notes.at(-1)).toMatch(/^restore refused: .* contains both the secret and the characters/)
    const both = [` ${literal}`, `-${literal}`]
    expect(await restoreText('apply_patch', patch(...both), 'text')).toBe(patch(` ${literal}`, `-${secret}`))
  })

  test('may have a line with very many tokens', async () => {
    write('a.md', '[SECRET_1]\nkey=first-value')
    const content = (text: string): string => `[SECRET_1]\n${`a ${text} `.repeat(50_000)}`
    const { content: restored } = await restore('Write', {
      file_path: 'a.md',
      content: content('[SECRET_1]'),
    })
    expect(restored === content('first-value')).toBe(true)
  })
})

test('an edit that replaces nothing writes a new file, and one that replaces a line changes that line', async () => {
  write('a.env', '# see [SECRET_1]\nB=first-value\n')
  const edit = (oldString: string, newString: string): JsonObject => ({
    filePath: 'a.env',
    oldString,
    newString,
  })
  expect(await restore('edit', edit('', 'B=[SECRET_1]\nsee [SECRET_1]\n'))).toEqual(
    edit('', 'B=first-value\nsee [SECRET_1]\n'),
  )
  expect(await restore('edit', edit('B=[SECRET_1]', 'B=1\nsee [SECRET_1]'))).toEqual(
    edit('B=first-value', 'B=1\nsee first-value'),
  )
})

describe('a patch', () => {
  const patch = (token1: string, token3: string, inNew = '[SECRET_1]'): string =>
    [
      '*** Begin Patch',
      '*** Update File: a.env',
      '@@',
      ` A=${token1}`,
      '-B=2',
      `+B=${token1}`,
      '*** Add File: new.env',
      `+A=${inNew}`,
      '*** Update File: [SECRET_1].env',
      '*** Update File: key.pem',
      `-${token3}`,
      `+x${token3}`,
      '+A=[SECRET_1]',
      '*** End Patch',
      '',
    ].join('\n')

  beforeEach(() => {
    write('a.env', 'A=first-value\nB=2\n')
    write('key.pem', key)
  })
  const lines = (prefix: string): string => key.replaceAll('\n', `\n${prefix}`)
  const restored = patch('first-value', '«')
    .replace('-«', `-${lines('-')}`)
    .replace('+x«', `+x${lines('+')}`)

  test('gets values according to the file of each section, line by line', async () => {
    expect(await restoreText('apply_patch', patch('[SECRET_1]', '[SECRET_3]'), 'text')).toBe(restored)
    expect(remembered[0]![1]).toEqual([
      { token: '[SECRET_1]', text: 'first-value' },
      { token: '[SECRET_3]', text: lines('-') },
      { token: '[SECRET_3]', text: lines('+') },
    ])
  })

  test.each([
    ['apply_patch', 'input'],
    ['apply_patch', 'patchText'],
    ['patch', 'patchText'],
  ])('is recognized in %s.%s', async (tool, argument) => {
    expect(await restore(tool, { [argument]: patch('[SECRET_1]', '[SECRET_3]') })).toEqual({
      [argument]: restored,
    })
  })

  test('is not recognized elsewhere', async () => {
    const input = {
      other: patch('[SECRET_1]', '[SECRET_3]'),
      input: { input: patch('[SECRET_1]', '[SECRET_3]') },
    }
    expect(await restore('apply_patch', input)).toEqual(input)
  })

  test.each([
    ['Add', '+B=[SECRET_1]\n+see [SECRET_1]\n', '+B=first-value\n+see [SECRET_1]\n'],
    ['Update', '+B=[SECRET_1]\n+see [SECRET_1]\n', '+B=first-value\n+see first-value\n'],
  ])('changes a file: %s', async (change, lines, restoredLines) => {
    write('a.env', '# see [SECRET_1]\nB=first-value\n')
    const head = `*** ${change} File: a.env\n`
    expect(await restoreText('apply_patch', head + lines, 'text')).toBe(head + restoredLines)
  })

  test('keeps a literal token that the file has in that line', async () => {
    write('a.env', 'A=[SECRET_1]\nB=first-value\n')
    const text = '*** Update File: a.env\n A=[SECRET_1]\n-B=[SECRET_1]\n+B=3\n'
    expect(await restoreText('apply_patch', text, 'text')).toBe(text.replace('B=[SECRET_1]', 'B=first-value'))
  })
})

describe('any other tool', () => {
  const input = { command: 'deploy [SECRET_1]', list: ['[SECRET_1]'], '[SECRET_1]': 1 }

  test('gets what the rules allow, by tool and argument', async () => {
    const asked: unknown[] = []
    ports = {
      ...ports,
      mayReveal: (tool, given) => (argument, token, value, text) => {
        asked.push([tool, given, argument, token, value, text])
        return argument === 'command'
      },
    }
    expect(await restore('Bash', input)).toEqual({ ...input, command: 'deploy first-value' })
    expect(asked).toEqual([
      ['Bash', input, 'command', '[SECRET_1]', 'first-value', 'deploy [SECRET_1]'],
      ['Bash', input, 'list', '[SECRET_1]', 'first-value', '[SECRET_1]'],
    ])
    expect(notes).toEqual([
      'restored: [SECRET_1] in command (allowed by a rule)',
      'restore refused: [SECRET_1] in list (no rule)',
      'restore refused: [SECRET_1] in (unknown) (a name)',
    ])
    expect(await restoreText('shell', 'x [SECRET_1]', 'text')).toBe('x [SECRET_1]')
    expect(asked.at(-1)).toEqual([
      'shell',
      'x [SECRET_1]',
      undefined,
      '[SECRET_1]',
      'first-value',
      'x [SECRET_1]',
    ])
  })

  test('gets nothing without a rule', async () => {
    expect(await restore('Bash', input)).toEqual(input)
    expect(remembered).toEqual([])
  })

  test('of contextd itself is unchanged, because the pipeline decides there', async () => {
    ports = { ...ports, mayReveal: () => () => true }
    for (const tool of [
      'mcp__contextd__safe_bash',
      'mcp__plugin_contextd_contextd__safe_write',
      'contextd_safe_bash',
    ])
      expect(await restore(tool, input)).toEqual(input)
    for (const tool of ['mcp__other__safe_bash', 'mcp__contextd__other__safe_bash'])
      expect(await restore(tool, input)).toMatchObject({ list: ['first-value'] })
  })
})

describe('an input', () => {
  beforeEach(() => (ports = { ...ports, mayReveal: () => () => true }))

  test('that is not a complete object passes unchanged', async () => {
    for (const text of [
      '{"a":"[SECRET_1]',
      '"[SECRET_1]"',
      '["[SECRET_1]"]',
      String.raw`{"a":"\x[SECRET_1]"}`,
      '[SECRET_1]',
    ])
      expect(await restoreText('Bash', text)).toBe(text)
    expect(await restoreText('Bash', '{"a":"[SECRET_1]"}')).toBe('{"a":"first-value"}')
  })

  test('with tokens that were never issued passes unchanged, without a note', async () => {
    expect(await restore('Bash', { a: '[SECRET_77]' })).toEqual({ a: '[SECRET_77]' })
    expect(notes).toEqual([])
  })

  test('is not restored if that cannot be recorded', async () => {
    ports = {
      ...ports,
      remember: () => {
        throw new Error('the disk is full')
      },
    }
    await expect(restore('Bash', { a: '[SECRET_1]' })).rejects.toThrow('the disk is full')
  })

  test('with very many tokens reads its file once', async () => {
    let reads = 0
    ports = { ...ports, readFile: async () => `${'x'.repeat(100_000)}first-value${(reads += 1) && ''}` }
    const content = '[SECRET_1] '.repeat(200_000)
    const { content: restored } = await restore('Write', { file_path: 'a', content })
    expect(restored).toBe('first-value '.repeat(200_000))
    expect(reads).toBe(1)
  })
})
