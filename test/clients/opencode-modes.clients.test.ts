/** Strict and friendly mode with OpenCode. */

import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { ClientRun, Place } from './client-run.ts'
import { makeOpencodePlace, opencodeBash, opencodeTool, removePlugin, runOpencode } from './opencode.ts'
import type { ToolUse } from './scripted-model.ts'

const secret = makeSample('ghp_{alnum:36}', seededRandom(62)).text
const read = (id: string, file: string): ToolUse => ({ id, tool: 'read', input: { filePath: file } })
const ways = [
  opencodeBash('succeeding', 'cat .env; echo after-success'),
  opencodeBash('failing', 'cat .env; echo after-failure; exit 3'),
  opencodeBash('large', 'cat huge.env'),
  read('read', '.env'),
]
const leaking = (run: ClientRun): string[] =>
  ways.map(({ id }) => id).filter((id) => run.saw(id).text.includes(secret))
const main = [...ways.map((way) => [way]), 'done']
const writeSecrets = (place: Place): void => {
  place.write('project/.env', `NAME=contextd\nGITHUB_TOKEN=${secret}\n`)
  place.write('project/huge.env', `GITHUB_TOKEN=${secret}\nNAME=contextd\n`.repeat(3000))
}

test('friendly: a secret never reaches the model', async () => {
  const place = await makeOpencodePlace()
  writeSecrets(place)
  const run = await runOpencode(place, { main })
  expect(leaking(run)).toEqual([])
  expect(run.told()).not.toContain(secret)
  expect(run.saw('succeeding').text).toMatch(/NAME=contextd[\s\S]*\[SECRET_\d+\][\s\S]*after-success/)
  expect(run.saw('failing').text).toMatch(/\[SECRET_\d+\][\s\S]*after-failure/)
  expect(run.saw('read').text).toMatch(/NAME=contextd[\s\S]*\[SECRET_\d+\]/)
})

test('without the plugin it does', async () => {
  const place = await makeOpencodePlace()
  removePlugin(place)
  writeSecrets(place)
  const run = await runOpencode(place, { main })
  expect(leaking(run)).toEqual(ways.map(({ id }) => id))
})

/** What runs of the client's own tools and of ours. */
async function tryAll(place: Place): Promise<{ run: ClientRun; made: string[] }> {
  place.write('project/notes.txt', 'a plain note')
  const ours = (id: string, tool: string, input: JsonObject): ToolUse[] => [
    { id, tool: opencodeTool(tool), input },
  ]
  const run = await runOpencode(place, {
    main: [
      [opencodeBash('bash', 'echo it ran > by-bash.txt')],
      [read('read', 'notes.txt')],
      [{ id: 'write', tool: 'write', input: { filePath: 'by-write.txt', content: 'it ran' } }],
      ours('our-bash', 'safe_bash', { command: 'echo it ran > by-our-bash.txt' }),
      ours('our-read', 'safe_read', { path: 'notes.txt' }),
      'done',
    ],
  })
  const made = place.filesWith('it ran').filter((file) => file.startsWith('project/'))
  return { run, made: made.sort() }
}

test('strict: built-in tools are refused, ours work', async () => {
  const { run, made } = await tryAll(await makeOpencodePlace('--mode', 'strict'))
  expect(run.saw('read').text).not.toContain('a plain note')
  expect(run.saw('our-read').text).toContain('a plain note')
  expect(made).toEqual(['project/by-our-bash.txt'])
})

test('in friendly mode the same calls all work', async () => {
  const { run, made } = await tryAll(await makeOpencodePlace())
  expect(run.saw('read').text).toContain('a plain note')
  expect(run.saw('our-read').text).toContain('a plain note')
  expect(made).toEqual(['by-bash', 'by-our-bash', 'by-write'].map((name) => `project/${name}.txt`))
})
