/** Private context is for exactly one agent: the client says who that is, and a key alone opens nothing. */

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { pluginTool, projectTool, runClaude, startAgent, withPlugin } from './claude-code.ts'
import { makePlace, type ClientRun, type Place } from './client-run.ts'
import {
  handbookKey,
  handbookLine,
  loadContext,
  privateLine,
  privateName,
  scannerKey,
  writeContexts,
} from './private-context.ts'

function makePrivatePlace(agent?: string): Place {
  const place = makePlace()
  writeContexts(place, agent)
  return place
}

/** Nothing of it in what the main thread was sent, nor in what contextd keeps. */
function expectKeptFrom(run: ClientRun, place: Place): void {
  for (const text of [privateName, privateLine]) {
    expect(run.told('main')).not.toContain(text)
    expect(place.filesWith(text).filter((file) => file.includes('.local/state/contextd'))).toEqual([])
  }
}

test('a subagent loads its context without any key; the main thread is refused it, key or not', async () => {
  const place = makePrivatePlace()
  const run = await runClaude(
    place,
    {
      main: [
        [loadContext('main-before', scannerKey)],
        [startAgent('agent', 'contextd:scanner', 'scanner')],
        [loadContext('main-no-key'), loadContext('main-key', scannerKey)],
        [loadContext('main-wrong-key', 'ctx_no-such-key')],
        [loadContext('main-handbook', handbookKey)],
        'done',
      ],
      scanner: [[loadContext('no-key')], [loadContext('key', scannerKey)], 'nothing found'],
    },
    withPlugin,
  )
  for (const id of ['no-key', 'key']) {
    expect(run.saw(id)).toMatchObject({ isError: false })
    expect(run.saw(id).text).toContain(privateName)
    expect(run.saw(id).text).toContain(privateLine)
  }
  for (const id of ['main-before', 'main-key']) expect(run.saw(id).text).toContain('CONTEXT_REFUSED')
  expect(run.saw('main-no-key').text).toContain('CONTEXT_NOT_ASSIGNED')
  expect(run.saw('main-wrong-key').text).toContain('CONTEXT_KEY_UNKNOWN')
  // What is meant for whoever has the key loads: the refusals are not for want of a map.
  expect(run.saw('main-handbook').text).toContain(handbookLine)
  expectKeptFrom(run, place)
  for (const key of [scannerKey, handbookKey]) {
    expect(place.filesWith(key).filter((file) => file.includes('.local/state/contextd'))).toEqual([])
  }
})

test('another subagent that has the key is refused', async () => {
  const place = makePrivatePlace()
  place.write(
    'project/.claude/agents/scanner.md',
    '---\nname: scanner\ndescription: Has almost the same name.\n---\nYou scan.\n',
  )
  const run = await runClaude(
    place,
    {
      main: [
        [startAgent('namesake', 'scanner', 'namesake')],
        [startAgent('anyone', 'general-purpose', 'anyone')],
        'done',
      ],
      namesake: [[loadContext('namesake-key', scannerKey)], 'done'],
      anyone: [[loadContext('anyone-key', scannerKey)], 'done'],
    },
    withPlugin,
  )
  for (const id of ['namesake-key', 'anyone-key']) expect(run.saw(id).text).toContain('CONTEXT_REFUSED')
  expect(run.told()).not.toContain(privateName)
})

test('with the hooks switched off nobody gets it', async () => {
  const place = makePrivatePlace()
  place.write('home/.claude/settings.json', {
    disableAllHooks: true,
    permissions: { allow: [pluginTool('*')] },
  })
  const run = await runClaude(
    place,
    {
      main: [
        [startAgent('agent', 'contextd:scanner', 'scanner')],
        [loadContext('handbook', handbookKey)],
        'done',
      ],
      scanner: [[loadContext('no-key')], [loadContext('key', scannerKey)], 'done'],
    },
    withPlugin,
  )
  expect(run.saw('no-key').text).toContain('CONTEXT_NOT_ASSIGNED')
  expect(run.saw('key').text).toContain('CONTEXT_REFUSED')
  expect(run.saw('handbook').text).toContain(handbookLine)
  expect(run.told()).not.toContain(privateName)
})

test('a server that the client attests nothing to gives it to nobody', async () => {
  const place = makePrivatePlace('general-purpose')
  const args = [resolve('bin', 'contextd.js'), 'mcp', 'serve']
  const servers = place.write('servers.json', {
    mcpServers: { contextd: { command: process.execPath, args } },
  })
  const declared = { ...loadContext('declared', scannerKey, projectTool) }
  const run = await runClaude(
    place,
    {
      main: [[startAgent('agent', 'general-purpose', 'agent')], 'done'],
      agent: [
        [loadContext('key', scannerKey, projectTool)],
        [{ ...declared, input: { ...declared.input, agent_id: 'general-purpose' } }],
        [loadContext('handbook', handbookKey, projectTool)],
        'done',
      ],
    },
    ['--mcp-config', servers, '--allowedTools', 'mcp__contextd'],
  )
  expect(run.saw('key').text).toContain('CONTEXT_REFUSED')
  expect(run.saw('declared').isError).toBe(true)
  expect(run.saw('handbook').text).toContain(handbookLine)
  expect(run.told()).not.toContain(privateName)
})

test('what the subagent loaded stays out of what others do', async () => {
  const place = makePrivatePlace()
  const write = (id: string, content: string) => ({
    id,
    tool: pluginTool('safe_write'),
    input: { path: `${id}.txt`, content },
  })
  const text = `A fixture for ${privateLine}, ordinary words beside it.`
  const run = await runClaude(
    place,
    {
      main: [
        [write('before', text)],
        [startAgent('agent', 'contextd:scanner', 'scanner')],
        [write('after', text)],
        'done',
      ],
      scanner: [[loadContext('load')], 'nothing found'],
    },
    withPlugin,
  )
  expect(run.saw('load').text).toContain(privateLine)
  const written = (id: string): string => readFileSync(join(place.project, `${id}.txt`), 'utf8')
  expect(written('before')).toBe(text)
  expect(written('after')).toContain('[PRIVATE]')
  expect(written('after')).toContain('ordinary words beside it')
  expect(written('after')).not.toContain('Heron')
})
