import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { openRecords } from '../../../compose.ts'
import { runCli } from '@contextd/shared/cli/output'
import { contextCommand } from './context.ts'

let home: TempHome
let map: string
let file: string
beforeEach(() => {
  home = makeTempHome()
  map = join(home.path, 'config/context-map.toml')
  file = home.write('contexts/catalogue.md', '# Names\n')
})
afterEach(() => home.remove())

async function run(argv: string[], env: NodeJS.ProcessEnv = {}): Promise<FakeIo> {
  const fake = fakeIo({ env: { ...home.env, HOME: '/nowhere', ...env }, cwd: home.project })
  await runCli(contextCommand(fake.io), fake.io, argv)
  return fake
}

interface Added {
  id: string
  key: string
  needs_no_key: boolean
}
const add = async (...argv: string[]): Promise<Added> =>
  JSON.parse((await run(['add', ...argv, '--json'])).out()) as Added

const mapText = (): string => readFileSync(map, 'utf8')
const writeMap = (text: string, mode = 0o600): void => {
  mkdirSync(join(home.path, 'config'), { recursive: true, mode: 0o700 })
  writeFileSync(map, text)
  chmodSync(map, mode)
}

describe('add', () => {
  test('creates a key, writes the map and prints the line for the agent', async () => {
    const { out, err, code } = await run(['add', file, '--agent', 'contextd:scanner'])
    const [, key = ''] = /^(ctx_[\w-]{32}) = /m.exec(mapText()) ?? []
    expect(out()).toBe(
      [
        `Added: ${file} for contextd:scanner, in ${map}`,
        "For the agent's instructions, shown only once:",
        `  Before anything else, call load_context with the key ${key} and follow what it returns.`,
        'An attested agent may omit the key; its instructions then contain no secret.',
        '',
      ].join('\n'),
    )
    expect([err(), code()]).toEqual(['', 0])
    expect(mapText()).toBe(`[keys]\n${key} = { path = "${file}", agents = [ "contextd:scanner" ] }\n`)
    expect(statSync(map).mode & 0o777).toBe(0o600)
  })

  test('without an agent, only the key is required', async () => {
    const { out } = await run(['add', file])
    expect(out()).toContain('for anyone with the key, in')
    expect(out()).not.toContain('leave the key out')
    expect((await add(file)).needs_no_key).toBe(false)
  })

  test('a second context for the same agent requires a key', async () => {
    expect((await add(file, '--agent', 'a')).needs_no_key).toBe(true)
    expect((await add(file, '--agent', 'a', '--agent', 'b', '--require', 'token')).needs_no_key).toBe(false)
    expect(mapText()).toContain('agents = [ "a", "b" ], require = "token" }')
  })

  test('accepts an existing key, but only once', async () => {
    const key = 'brought-along-1234567890'
    expect(await add(file, '--key', key)).toMatchObject({ key })
    const again = await run(['add', file, '--key', key])
    expect([again.code(), again.err().split('\n')[0]]).toEqual([2, 'USAGE: this key is already in the map'])
    expect((await run(['add', file, '--key', 'short'])).code()).toBe(2)
  })

  test('preserves the existing map, and makes it private', async () => {
    writeMap('# mine\n[keys]\nold = "a.md" # first\n', 0o644)
    const { key } = await add(file)
    expect(mapText()).toBe(`# mine\n[keys]\nold = "a.md" # first\n${key} = "${file}"\n`)
    expect(statSync(map).mode & 0o777).toBe(0o600)
  })

  test('is recorded without the key', async () => {
    const { id, key } = await add(file, '--agent', 'a')
    const records = openRecords(home.env)
    const [event] = records.audit.query({ kind: 'event' })
    records.close()
    expect(event).toMatchObject({
      event: 'context-added',
      details: { id, file, agents: ['a'], require: 'attested' },
    })
    expect(id).toMatch(/^hash:[0-9a-f]{16}$/)
    expect(readFileSync(join(home.path, 'state/contextd.db'), 'latin1')).not.toContain(key)
  })

  test('is refused for agents, and writes nothing', async () => {
    const { out, code } = await run(['add', file], { CLAUDECODE: '1' })
    expect([out(), code()]).toEqual(['', 22])
    expect(() => mapText()).toThrow('ENOENT')
  })

  test.each([
    ['what is not there', () => 'missing.md', 'CONTEXT_FILE_MISSING'],
    ['what is no Markdown', () => home.write('contexts/a.txt', 'x'), 'CONTEXT_NOT_MARKDOWN'],
    [
      'what only looks like it',
      () => {
        symlinkSync(home.write('contexts/b.txt', 'x'), join(home.path, 'contexts/b.md'))
        return join(home.path, 'contexts/b.md')
      },
      'CONTEXT_NOT_MARKDOWN',
    ],
  ])('refuses %s', async (_, make, code) => {
    const { err } = await run(['add', make()])
    expect(err()).toMatch(code)
    expect(err()).toMatch(/\n\S+: [^]* Only \.md files of at most 64 KB are loaded\.\n$/)
    expect(() => mapText()).toThrow('ENOENT')
  })

  test('refuses an invalid map, and leaves it unchanged', async () => {
    writeMap('[keys]\nSECRET = 7\n')
    const { err, code } = await run(['add', file])
    expect(err()).toContain(`it is invalid: ${map}:2: the value of a key must be a path`)
    expect([code(), err().includes('SECRET'), mapText()]).toEqual([78, false, '[keys]\nSECRET = 7\n'])
  })

  test('warns about risks', async () => {
    writeFileSync(join(home.project, 'here.md'), 'x')
    const { err } = await run(['add', 'here.md'])
    expect(err()).toBe('note: the file is in this project, where every agent can read it\n')
  })

  test('does not treat the home folder, where terminals open, as a project', async () => {
    writeFileSync(join(home.project, 'here.md'), 'x')
    expect((await run(['add', 'here.md'], { HOME: home.project })).err()).toBe('')
  })
})

describe('list', () => {
  test('prints everything except keys, also to agents', async () => {
    expect((await run(['list'])).out()).toBe('No contexts. `ctxd context add` creates one.\n')
    const first = await add(file, '--agent', 'contextd:scanner')
    const second = await add(file)
    for (const env of [{}, { CLAUDECODE: '1' }]) {
      const { out, code } = await run(['list'], env)
      const json = (await run(['list', '--json'], env)).out()
      expect(
        out()
          .split('\n')
          .map((line) => line.split(/ {2,}/)),
      ).toEqual([
        ['ID', 'FILE', 'FOR', 'REQUIRE'],
        [first.id, file, 'contextd:scanner', 'attested'],
        [second.id, file, 'anyone with the key', 'default'],
        [''],
      ])
      expect(JSON.parse(json)).toEqual({
        map,
        contexts: [
          { id: first.id, path: file, file, agents: ['contextd:scanner'], require: 'attested', line: 2 },
          { id: second.id, path: file, file, agents: [], require: 'default', line: 3 },
        ],
        problems: [],
      })
      expect(code()).toBe(0)
      for (const { key } of [first, second]) expect(out() + json).not.toContain(key)
    }
  })

  test('an invalid map lists nothing and reports the location', async () => {
    writeMap('[keys]\nSECRET = 7\n')
    const { out, err, code } = await run(['list'])
    expect([out(), code()]).toEqual(['', 78])
    expect(err()).toBe(
      `note: ${map}:2: the value of a key must be a path, or a table { path, agents, require }\n`,
    )
  })
})

describe('check', () => {
  test('reports that there are no problems', async () => {
    await add(file, '--agent', 'contextd:scanner')
    const { out, code } = await run(['check'])
    expect([out(), code()]).toEqual(['1 context can be loaded.\n', 0])
    expect(JSON.parse((await run(['check', '--json'])).out())).toEqual({
      ok: true,
      map,
      contexts: 1,
      remarks: [],
    })
  })

  test('has nothing to check without a map', async () => {
    const { err, code } = await run(['check'])
    expect([err().split(':')[0], code()]).toEqual(['CONTEXT_MAP_MISSING', 78])
  })

  test('reports every error with its line and without keys', async () => {
    writeMap('[keys]\nSECRET-1 = 7\n\nSECRET-2 = { path = "a.md", agent = "x" }\n')
    const { out, code } = await run(['check'])
    expect(out()).toBe(
      [
        `${map}:2: error: the value of a key must be a path, or a table { path, agents, require }`,
        `${map}:4: error: unknown name; did you mean \`agents\`?`,
        '',
      ].join('\n'),
    )
    expect(code()).toBe(78)
  })

  test('reports every file that cannot be loaded, and other risks', async () => {
    const open = home.write('contexts/open.md', 'x')
    chmodSync(open, 0o666)
    home.write('contexts/empty.md', ' \n')
    home.write('contexts/large.md', 'x'.repeat(65_537))
    writeFileSync(join(home.project, 'here.md'), 'x')
    writeMap(
      [
        `base = "${home.path}/contexts"`,
        '[keys]',
        'SECRET = "missing.md"',
        'long-enough-SECRET-key-1 = "large.md"',
        'long-enough-SECRET-key-2 = { path = "catalogue.md", agents = ["a"] }',
        'long-enough-SECRET-key-3 = { path = "catalogue.md", agents = ["a"] }',
        'long-enough-SECRET-key-4 = "open.md"',
        'long-enough-SECRET-key-5 = "empty.md"',
        'long-enough-SECRET-key-6 = "../project/here.md"',
      ].join('\n'),
      0o644,
    )
    const { out, code } = await run(['check'])
    expect(out().replaceAll(map, 'MAP').trimEnd().split('\n')).toEqual([
      'MAP: warning: other users can read the keys (mode 644); run chmod 600 on the map',
      'MAP: warning: a has 2 contexts (lines 5, 6) and needs a key to choose one',
      'MAP:3: warning: the key has less than 20 characters, and nothing else keeps strangers out',
      'MAP:3: error: the file cannot be loaded: it is not there',
      'MAP:4: error: the file cannot be loaded: it is larger than 64 KB',
      'MAP:6: warning: the file is already in line 5',
      'MAP:7: warning: other users can change the file (mode 666)',
      'MAP:8: warning: the file is empty',
      'MAP:9: warning: the file is in this project, where every agent can read it',
    ])
    expect([code(), out().includes('SECRET')]).toEqual([78, false])
  })

  test('all commands refuse a map that others can write', async () => {
    await add(file)
    chmodSync(map, 0o666)
    for (const argv of [['list'], ['check'], ['add', file]]) {
      const { err, code } = await run(argv)
      expect(err()).toContain('it can be changed by other users (mode 666)')
      expect(code()).toBe(78)
    }
  })
})
