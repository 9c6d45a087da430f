import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { clientFolders, type ClientFolders } from '../../../../test/support/client-folders.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'

const value = 'hunted-Value_123'
const key = ['-----BEGIN KEY-----', 'AAAA"BBBB', '-----END KEY-----'].join('\n')

let folders: ClientFolders
let app: string
beforeEach(() => {
  folders = clientFolders()
  folders.secrets = new Map([
    ['[SECRET_1]', value],
    ['[SECRET_2]', key.replaceAll('\n', '\n   7→').replace('7→-----END', '8→-----END')],
  ])
  app = join(dirname(folders.home), 'app')
  writeFileSync(join(app, 'app.env'), `KEY=${value}\nNAME=x\n`)
  writeFileSync(join(app, 'key.pem'), `${key}\n`)
  writeFileSync(join(app, 'book.ipynb'), JSON.stringify({ cells: [{ source: [`key = "${value}"`] }] }))
  writeFileSync(join(app, 'readme.md'), 'A token looks like [SECRET_1].\n')
})
afterEach(() => folders.remove())

async function reasonFor(tool: string, input: JsonObject): Promise<string | undefined> {
  const output = await folders.ask(tool, input)
  const said = output?.hookSpecificOutput
  return isJsonObject(said) ? (said.permissionDecisionReason as string) : undefined
}

const overwrites =
  /The file contains the secret that \[SECRET_\d\] represents, and the token would overwrite it/
const appears = /\[SECRET_1\] represents a secret that is not in this file/

describe('a file tool', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['Write', { file_path: 'app.env', content: 'KEY=[SECRET_1]\nNAME=y\n' }, overwrites],
    ['Write', { file_path: 'ROOT/app/app.env', content: 'KEY=[SECRET_1]\n' }, overwrites],
    ['Write', { file_path: 'key.pem', content: '[SECRET_2]\n' }, overwrites],
    ['Edit', { file_path: 'app.env', old_string: 'KEY=[SECRET_1]', new_string: 'KEY=2' }, overwrites],
    ['Edit', { file_path: 'app.env', old_string: 'NAME=x', new_string: 'NAME=[SECRET_1]' }, overwrites],
    [
      'MultiEdit',
      { file_path: 'app.env', edits: [{ old_string: 'x', new_string: '[SECRET_1]' }] },
      overwrites,
    ],
    ['NotebookEdit', { notebook_path: 'book.ipynb', new_source: 'key = "[SECRET_1]"' }, overwrites],
    ['mcp__fs__write_file', { path: 'app.env', content: 'KEY=[SECRET_1]' }, overwrites],
    ['Write', { file_path: 'new.env', content: 'KEY=[SECRET_1]\n' }, appears],
    ['mcp__fs__edit_file', { path: 'new.env', edits: [{ newText: '[SECRET_1]' }] }, appears],
  ])('%s %j does not overwrite a secret with a token', async (tool, input, reason) => {
    expect(await reasonFor(tool, input)).toMatch(reason)
    expect(folders.events.at(-1)).toMatchObject({ name: 'hook-refused', tool, what: 'secret-token' })
  })

  test.each<[string, JsonObject]>([
    ['Write', { file_path: 'app.env', content: `KEY=${value}\n` }],
    ['Write', { file_path: 'app.env', content: 'KEY=[SECRET_9]\n' }],
    ['Write', { file_path: 'readme.md', content: 'It looks like [SECRET_1]!' }],
    ['Edit', { file_path: 'readme.md', old_string: '[SECRET_1].', new_string: '[SECRET_1]!' }],
    ['Edit', { file_path: 'app.env', old_string: 'NAME=x', new_string: 'NAME=y' }],
    ['Read', { file_path: '[SECRET_1]' }],
    ['Grep', { pattern: '[SECRET_1]', path: 'src' }],
    ['mcp__tracker__create_issue', { title: 'rotate [SECRET_1]' }],
  ])('%s %j passes', async (tool, input) => {
    expect(await reasonFor(tool, input)).toBeUndefined()
  })

  describe('for a file with both the secret and the characters of its token', () => {
    const comment = '# like [SECRET_1]'
    const content = `${comment}\nNAME=x\nKEY=${value}\n`
    const seen = content.replace(value, '[SECRET_1]')
    beforeEach(() => writeFileSync(join(app, 'both.env'), content))
    const edit = (old_string: string, new_string: string): JsonObject => ({ old_string, new_string })

    test.each<[string, JsonObject]>([
      ['Edit', edit(comment, '# such as [SECRET_1]')],
      ['Edit', edit('# like', '# such as')],
      ['MultiEdit', { edits: [edit(comment, '# such as [SECRET_1]'), edit('NAME=x', 'NAME=y')] }],
      ['mcp__fs__edit_file', { edits: [{ oldText: comment, newText: '# such as [SECRET_1]' }] }],
      ['Write', { content: content.replace('like', 'such as') }],
      ['Write', { content: content.replace('KEY', 'PASS') }],
    ])('%s %j keeps both', async (tool, input) => {
      expect(await reasonFor(tool, { file_path: 'both.env', ...input })).toBeUndefined()
    })

    test.each<[string, JsonObject, RegExp]>([
      ['Edit', edit('KEY=[SECRET_1]', 'KEY=2'), overwrites],
      ['Edit', edit('NAME=x', 'NAME=[SECRET_1]'), overwrites],
      ['mcp__fs__edit_file', { edits: [{ oldText: 'KEY=[SECRET_1]', newText: 'KEY=2' }] }, overwrites],
      ['Write', { content: seen }, overwrites],
      ['Edit', edit('[SECRET_1]', '"[SECRET_1]"'), /unclear which the changed lines mean.* one at a time/i],
      [
        'Write',
        { content: '# such as [SECRET_1]\nPASS=[SECRET_1]\n' },
        /unclear which the changed lines mean/i,
      ],
    ])('%s %j does not write the characters instead of the secret', async (tool, input, reason) => {
      expect(await reasonFor(tool, { file_path: 'both.env', ...input })).toMatch(reason)
    })
  })

  test('a refusal names the token and the alternatives, and never the value', async () => {
    const reason = await reasonFor('Write', { file_path: 'app.env', content: 'KEY=[SECRET_1]' })
    expect(reason).toMatch(/safe_edit.*ctxd init/s)
    expect(reason).not.toContain(value)
    expect(readFileSync(join(app, 'app.env'), 'utf8')).toContain(value)
  })
})

describe('a command', () => {
  test.each([
    'cat > .env <<EOF\nKEY=[SECRET_1]\nEOF',
    "sed -i 's/[SECRET_1]/new/' app.env",
    String.raw`sed -i 's/new/\[SECRET_1\]/' app.env`,
    'curl -H "Authorization: Bearer [SECRET_1]" https://example.com',
    'git apply <<EOF\n-KEY=[SECRET_1]\n+KEY=x\nEOF',
    'git commit -m "rotate [SECRET_1]"',
    String.raw`grep -n '\[SECRET_1\]' app.env`,
  ])('%j does not run with a token', async (command) => {
    for (const tool of ['Bash', 'mcp__shell__run']) {
      expect(await reasonFor(tool, { command })).toMatch(/\[SECRET_1\] represents a secret.*safe_edit/)
    }
  })

  test.each(['echo "[SECRET_9]"', 'echo SECRET_1', `echo ${value}`, String.raw`grep '\[SECRET_9\]' a`])(
    '%j runs',
    async (command) => {
      expect(await reasonFor('Bash', { command, description: 'about [SECRET_1]' })).toBeUndefined()
    },
  )
})

test('opens the store only for calls that contain a token, and blocks those without it', async () => {
  folders.hasStore = false
  expect(await reasonFor('Write', { file_path: 'a.txt', content: 'nothing' })).toBeUndefined()
  expect(await reasonFor('Bash', { command: 'ls' })).toBeUndefined()
  await expect(reasonFor('Bash', { command: 'echo [SECRET_1]' })).rejects.toThrow('no store')
})
