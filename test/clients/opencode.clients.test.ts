/** What holds with Claude Code, with OpenCode: as far as its plugins reach. */

import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { fixture } from '../support/gateway-runtime.ts'
import { audited, clientProgram, type ClientRun, type Place } from './client-run.ts'
import {
  makeOpencodePlace,
  opencodeBash,
  opencodeTool,
  removePlugin,
  runOpencode,
  startTask,
} from './opencode.ts'
import {
  handbookKey,
  handbookLine,
  loadContext,
  privateLine,
  privateName,
  scannerKey,
  writeContexts,
} from './private-context.ts'
import { found, type ToolUse } from './scripted-model.ts'

const load = (id: string, key?: string): ToolUse => loadContext(id, key, opencodeTool)

async function makePrivatePlace(): Promise<Place> {
  const place = await makeOpencodePlace()
  writeContexts(place, 'scanner')
  return place
}

describe('private context', () => {
  test('a subagent loads its own; nobody else does, key or not', async () => {
    const place = await makePrivatePlace()
    const run = await runOpencode(place, {
      main: [
        [load('main-key', scannerKey)],
        [load('main-no-key')],
        [load('main-handbook', handbookKey)],
        [startTask('task', 'scanner', 'scanner')],
        [startTask('other-task', 'helper', 'helper')],
        'done',
      ],
      scanner: [[load('no-key')], [load('key', scannerKey)], 'nothing found'],
      helper: [[load('helper-key', scannerKey)], 'done'],
    })
    for (const id of ['no-key', 'key']) expect(run.saw(id).text).toContain(privateLine)
    for (const id of ['main-key', 'helper-key']) expect(run.saw(id).text).toContain('CONTEXT_REFUSED')
    expect(run.saw('main-no-key').text).toContain('CONTEXT_NOT_ASSIGNED')
    expect(run.saw('main-handbook').text).toContain(handbookLine)
    for (const script of ['main', 'helper']) expect(run.told(script)).not.toContain(privateLine)
    // What the plugin puts into the arguments is for contextd alone.
    expect(run.told()).not.toContain('contextd_attestation')
  })

  test('without the plugin nobody gets it, and a forged attestation is found out', async () => {
    const place = await makePrivatePlace()
    removePlugin(place)
    const forged = `v1.${Buffer.from('{"agent":"scanner"}').toString('base64url')}.${'A'.repeat(43)}`
    const run = await runOpencode(place, {
      main: [[startTask('task', 'scanner', 'scanner')], 'done'],
      scanner: [
        [load('no-key')],
        [load('key', scannerKey)],
        [{ id: 'forged', tool: opencodeTool('load_context'), input: { contextd_attestation: forged } }],
        [load('handbook', handbookKey)],
        'done',
      ],
    })
    expect(run.saw('no-key').text).toContain('CONTEXT_NOT_ASSIGNED')
    expect(run.saw('key').text).toContain('CONTEXT_REFUSED')
    expect(run.saw('forged').text).toContain('ATTESTATION_FORGED')
    expect(run.saw('handbook').text).toContain(handbookLine)
    expect(run.told()).not.toContain(privateLine)
    expect(await audited(place, '--event', 'attestation-refused')).toHaveLength(1)
  })

  /** What the client keeps of all sessions lies in one database; a task can be taken up again by its id. */
  const task = found('task id=\\\\*"(ses_\\w+)')
  const resumed = `I loaded this: ${privateLine}`
  const ways: ToolUse[] = [
    opencodeBash('database', 'grep -ao "customer behind.*" ~/.local/share/opencode/opencode.db*'),
    opencodeBash('inside', 'cd ~/.local/share && grep -aoh "customer behind.*" -r open*'),
    {
      id: 'grep',
      tool: 'grep',
      input: { pattern: 'customer behind', path: '../home/.local/share/opencode' },
    },
    { id: 'ask', tool: 'task', input: { ...startTask('', 'scanner', 'resumed').input, task_id: task } },
  ]
  const leaking = (run: ClientRun): string[] =>
    [...ways.map(({ id }) => id), 'export'].filter((id) => run.saw(id).text.includes('Marlow and Vance'))
  const scripts = () => ({
    main: [
      [startTask('task', 'scanner', 'scanner')],
      ...ways.map((way) => [way]),
      [opencodeBash('export', `${clientProgram('opencode')} export ${task} | grep -o "customer behind.*"`)],
      [opencodeBash('ordinary', 'echo an ordinary command')],
      'done',
    ],
    scanner: [[load('load')], 'nothing found'],
    resumed: [resumed],
  })

  test('the main thread gets at it by no way to what the client keeps', async () => {
    const place = await makePrivatePlace()
    const run = await runOpencode(place, scripts())
    expect(run.saw('load').text).toContain(privateLine)
    expect(leaking(run)).toEqual([])
    expect(run.saw('ordinary').text).toContain('an ordinary command')
    for (const part of ['Marlow and Vance', privateName]) expect(run.told('main')).not.toContain(part)
  })

  test('without the plugin these ways are open', async () => {
    const place = await makePrivatePlace()
    removePlugin(place)
    // For whoever has a key there is nothing to attest.
    place.write('home/.config/contextd/context-map.toml', `[keys]\n"${scannerKey}" = "catalogue.md"\n`)
    const run = await runOpencode(place, { ...scripts(), scanner: [[load('load', scannerKey)], 'done'] })
    expect(run.saw('load').text).toContain(privateLine)
    expect(leaking(run)).toEqual(expect.arrayContaining(['database', 'ask', 'export']))
  })
})

test('the rules of the gateway hold for each subagent', async () => {
  const place = await makePrivatePlace()
  const log = join(place.root, 'browser.log')
  place.write('home/.config/contextd/servers.json', {
    mcpServers: { browser: fixture('any-tools', [log, 'click', 'navigate']) },
  })
  place.write('home/.config/contextd/rules.json', {
    agents: {
      scanner: {
        require: 'attested',
        allow: { servers: ['browser'] },
        deny: { tools: { browser: ['navigate'] } },
      },
      default: { allow: { servers: ['contextd'] } },
    },
    defaults: { deny_on_missing_agent: false },
  })
  const execute = (id: string, tool: string, more: JsonObject = {}): ToolUse => ({
    id,
    tool: opencodeTool('execute_tool'),
    input: { server: 'browser', tool, args: { mark: id }, ...more },
  })
  const run = await runOpencode(place, {
    main: [
      [execute('main-click', 'click')],
      [startTask('task', 'scanner', 'scanner')],
      [startTask('other-task', 'helper', 'helper')],
      'done',
    ],
    scanner: [[execute('click', 'click')], [execute('navigate', 'navigate')], 'done'],
    helper: [[execute('lies', 'click', { agent_id: 'scanner' })], 'done'],
  })
  expect(run.saw('click').text).toContain('did click')
  for (const id of ['main-click', 'navigate']) expect(run.saw(id).text).toContain('DENIED_BY_POLICY')
  expect(run.saw('lies').text).not.toContain('did click')
  expect(place.filesWith('"mark":"click"')).toContain('browser.log')
  for (const id of ['main-click', 'navigate', 'lies']) {
    expect(place.filesWith(`"mark":"${id}","tool"`)).not.toContain('browser.log')
  }
})
