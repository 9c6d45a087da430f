/** `contextd init` puts Claude Code behind the model door, and nothing bypasses it. */

import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import {
  projectTool,
  prompt,
  runBehindDoor,
  runClaude,
  startAgent,
  takePort,
  trustProject,
  withPlugin,
} from './claude-code.ts'
import { until } from '@contextd/shared/testing/until'
import { audited, daemonOf, makePlace, type Place, type Talk } from './client-run.ts'
import { follow, type ToolUse } from './scripted-model.ts'

const token = ['ghp', 'k7Rw2mXq9LzT4vBn8YcJ5sHd3GfP6aEu1QoW'].join('_')

const read = (place: Place, id = 'read'): ToolUse => ({
  id,
  tool: 'Read',
  input: { file_path: place.write('project/deploy.sh', `echo deploy\nexport GITHUB_TOKEN=${token}\n`) },
})

async function madePlace(): Promise<Place & { port: number }> {
  const place = makePlace()
  trustProject(place)
  return { ...place, port: await takePort(place) }
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
  expect(run.stdout).toContain("bypasses contextd's model door")
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
  expect(off.stdout).toContain('turn on the model door')
  const on = await runBehindDoor(place, script, {
    initArgs: ['--user', '--door'],
    args: [...withPlugin, ...readAllowed],
  })
  expect(on.told()).not.toContain(token)
  expect(on.saw('read').text).toContain('[SECRET_1]')
  expect(on.stdout).not.toContain('turn on the model door')
  expect(await audited(place, '--event', 'tool-output-scrubbed')).toHaveLength(1)
})

/** Two prompts, and between them the daemon dies. */
const killedBetween = (place: Place & { port: number }, prepare = (): void => {}): Talk =>
  async function* (printed) {
    yield prompt(follow('main'))
    await until(() => printed().includes('"type":"result"'))
    prepare()
    process.kill(daemonOf(place)!, 'SIGKILL')
    const answers = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${place.port}/`).then(
        () => true,
        () => false,
      )
    await until(async () => !(await answers()))
    yield prompt('And now?')
  }

describe.each([
  ['contextd init', [], []],
  ['the plugin', ['--user', '--door'], withPlugin],
])('where the daemon dies in a session, set up by %s', (_, initArgs, args) => {
  const script = { main: ['first', 'second'] }

  test('it is started again for the next prompt', async () => {
    const place = await madePlace()
    const run = await runBehindDoor(place, script, { initArgs, args, talk: killedBetween(place) })
    expect(run.requests).toHaveLength(2)
    expect(run.told()).toContain('And now?')
    expect(run.stdout).toContain('second')
  })

  test('with control.autostart off nothing reaches the model, and the user reads what to do', async () => {
    const place = await madePlace()
    const forbid = (): void =>
      appendFileSync(join(place.home, '.config/contextd/config.toml'), '\n[control]\nautostart = false\n')
    const run = await runBehindDoor(place, script, { initArgs, args, talk: killedBetween(place, forbid) })
    expect(run.requests).toHaveLength(1)
    expect(run.told()).not.toContain('And now?')
    expect(run.stdout).toContain('ctxd start')
  })
})
