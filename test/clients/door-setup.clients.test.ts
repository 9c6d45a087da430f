/** `contextd init` puts Claude Code behind the model door, and nothing leads past it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import {
  projectTool,
  runBehindDoor,
  runClaude,
  startAgent,
  takePort,
  trustProject,
  withPlugin,
} from './claude-code.ts'
import { audited, makePlace, type Place } from './client-run.ts'
import type { ToolUse } from './scripted-model.ts'

const token = ['ghp', 'k7Rw2mXq9LzT4vBn8YcJ5sHd3GfP6aEu1QoW'].join('_')

const read = (place: Place, id = 'read'): ToolUse => ({
  id,
  tool: 'Read',
  input: { file_path: place.write('project/deploy.sh', `echo deploy\nexport GITHUB_TOKEN=${token}\n`) },
})

async function madePlace(): Promise<Place> {
  const place = makePlace()
  trustProject(place)
  await takePort(place)
  return place
}

const readAllowed = ['--allowedTools', 'Read']

test('the daemon starts by itself, and the model never reads a token of a file', async () => {
  const place = await madePlace()
  const run = await runBehindDoor(place, { main: [[read(place)], 'done'] }, { args: readAllowed })
  expect(run.saw('read')).toMatchObject({
    isError: false,
    text: expect.stringContaining('[SECRET_1]') as string,
  })
  expect(run.saw('read').text).toContain('echo deploy')
  expect(run.told()).not.toContain(token)
  expect(readFileSync(join(place.home, '.config/contextd/config.toml'), 'utf8')).toContain(
    '[model]\nanthropic',
  )
  const { stdout } = await place.ours('ctxd', 'doctor', '--json')
  const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string }[] }
  expect(checks.find(({ id }) => id === 'model door')).toMatchObject({ status: 'ok' })
  await place.ours('ctxd', 'server', 'stop')
})

test('without contextd the same token reaches the model', async () => {
  const place = await madePlace()
  const run = await runClaude(place, { main: [[read(place)], 'done'] }, readAllowed)
  expect(run.told()).toContain(token)
})

test('a project that redirects the base URL gets no prompt and no request', async () => {
  const place = await madePlace()
  const run = await runBehindDoor(
    place,
    { main: [[read(place)], 'done'] },
    {
      // For the user, so that settings of the project win over it.
      initArgs: ['--user'],
      args: readAllowed,
      prepare: (url) => place.write('project/.claude/settings.json', { env: { ANTHROPIC_BASE_URL: url } }),
    },
  )
  expect(run.requests).toEqual([])
  expect(run.stdout).toContain('leads past the model door')
  expect(await audited(place, '--event', 'hook-refused')).not.toEqual([])
})

test('the door knows agents before they use a tool', async () => {
  const place = await madePlace()
  const write = { id: 'write', tool: projectTool('safe_write'), input: { path: 'a.txt', content: 'x' } }
  const run = await runBehindDoor(place, {
    main: [[write], [startAgent('agent', 'general-purpose', 'sub')], 'done'],
    sub: ['nothing to do'],
  })
  expect(run.saw('agent').isError).toBe(false)
  const requests = await audited(place, '--server', 'model')
  const ofAgent = requests.filter(({ instance }) => instance !== undefined)
  expect(ofAgent).toHaveLength(1)
  expect(JSON.stringify(ofAgent)).toContain('general-purpose')
  expect(requests.filter(({ agent }) => agent === 'main')).toHaveLength(requests.length - 1)
})

test('the hooks of the plugin step aside for the door, and say once that it is off', async () => {
  const place = await madePlace()
  const script = { main: [[read(place)], 'done'] }
  const off = await runClaude(place, script, [...withPlugin, ...readAllowed])
  expect(off.told()).not.toContain(token)
  expect(off.stdout).toContain('turn the model door on')
  const on = await runBehindDoor(place, script, {
    initArgs: ['--user', '--door'],
    args: [...withPlugin, ...readAllowed],
  })
  expect(on.told()).not.toContain(token)
  expect(on.saw('read').text).toContain('[SECRET_1]')
  expect(on.stdout).not.toContain('turn the model door on')
  expect(await audited(place, '--event', 'tool-output-scrubbed')).toHaveLength(1)
})
