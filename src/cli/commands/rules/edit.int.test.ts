import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { runCli } from '@contextd/shared/cli/output'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { rulesCommand } from './rules.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

/** The editor is a real program. */
async function edit(editor: string, argv: readonly string[] = [], answer?: string): Promise<FakeIo> {
  const env = { ...home.env, PATH: process.env.PATH, EDITOR: editor }
  const fake = fakeIo({ env, cwd: home.project, answer })
  await runCli(rulesCommand(fake.io), fake.io, ['edit', ...argv])
  return fake
}
const stored = (): string => readFileSync(join(home.path, 'config', 'rules.json'), 'utf8')
const draftIn = (text: string): string => /--file (\S+)/.exec(text)?.[1] ?? ''

const own = '{ "agents": { "main": {} } }\n'
const adding = `sed -i 's/{}/{"allow":{"servers":["db"]}}/'`

test('installs the edited text after showing the diff and asking', async () => {
  home.write('config/rules.json', own)
  const { out, asked } = await edit(adding, [], 'y')
  expect(out()).toContain('+{ "agents": { "main": {"allow":{"servers":["db"]}} } }')
  expect(asked()).toContain('rules.json? [y/N]')
  expect(stored()).toBe('{ "agents": { "main": {"allow":{"servers":["db"]}} } }\n')
})

test('without a file, starts with the built-in rules', async () => {
  await edit(`sed -i 's/"main": {}/"main": { "justification": "x" }/'`, ['--yes'])
  expect(JSON.parse(stored())).toMatchObject({ agents: { main: { justification: 'x' }, default: {} } })
})

test('an invalid text is not installed and not lost', async () => {
  home.write('config/rules.json', own)
  const { err, code } = await edit(`sed -i 's/{}/{"alow":{}}/'`, ['--yes'])
  expect(code()).toBe(78)
  expect(err()).toContain('did you mean "allow"?')
  expect(stored()).toBe(own)
  const draft = draftIn(err())
  expect(readFileSync(draft, 'utf8')).toContain('alow')
  const fixed = home.write('fixed.json', '{ "agents": { "main": { "allow": { "servers": ["db"] } } } }')
  await edit('false', ['--yes', '--file', fixed])
  expect(stored()).toBe(readFileSync(fixed, 'utf8'))
})

test('refused by the user: nothing is written, and the text is kept', async () => {
  home.write('config/rules.json', own)
  const { err, code } = await edit(adding, [], 'n')
  expect([code(), stored()]).toEqual([22, own])
  expect(readFileSync(draftIn(err()), 'utf8')).toContain('db')
})

test('an editor that fails changes nothing, and neither does one that changes nothing', async () => {
  home.write('config/rules.json', own)
  expect((await edit('false', ['--yes'])).code()).toBe(2)
  expect((await edit('true', ['--yes'])).out()).toContain('nothing was changed')
  expect(stored()).toBe(own)
})

test('repairs a file that is invalid', async () => {
  home.write('config/rules.json', '{ "agents": { "main": {} }')
  const { err } = await edit(`sed -i 's/$/}/'`, ['--yes'])
  expect(err()).toContain('the current file is invalid, so the effect cannot be shown')
  expect(stored()).toContain('{ "agents": { "main": {} }}')
})

test("an agent's shell is refused", async () => {
  const fake = fakeIo({
    env: { ...home.env, CLAUDECODE: '1', EDITOR: 'true' },
    cwd: home.project,
    answer: 'y',
  })
  await runCli(rulesCommand(fake.io), fake.io, ['edit', '--yes'])
  expect([fake.code(), existsSync(join(home.path, 'config', 'rules.json'))]).toEqual([22, false])
})
