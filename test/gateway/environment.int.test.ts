/** Which environment variables and secrets a server receives, and where else they appear. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openRecords } from '../../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { fixture, openRules } from '../support/gateway-runtime.ts'
import { discovered, serveByHand } from '../support/http-upstreams.ts'
import { newProcessMark, type ProcessMark } from '../support/process-mark.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'
import { webServers } from '../support/web-servers.ts'
import { openDoor, type Agent, type Door, type DoorName } from './doors.ts'

const web = webServers()
const value = 'correct-horse-battery-staple-9'
const ours = {
  ANTHROPIC_API_KEY: 'key-of-the-client',
  OPENAI_API_KEY: 'key-of-another',
  AWS_SECRET_ACCESS_KEY: 'key-of-the-cloud',
  SSH_AUTH_SOCK: '/nowhere/agent',
  NODE_OPTIONS: '--no-deprecation',
  CLAUDECODE: '1',
  GATEWAY_DEFAULT_AGENT: 'main',
  UNDECLARED: 'of no concern',
  FROM_US: 'passed on',
}

let home: TempHome
let mark: ProcessMark
let door: Door
beforeEach(() => {
  home = makeTempHome()
  mark = newProcessMark()
  home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "debug"\n')
  home.write('config/rules.json', openRules)
  Object.assign(home.env, ours)
  const records = openRecords(home.env)
  records.secrets.set('KNOWN', value)
  records.close()
})
afterEach(async () => {
  await door.close()
  home.remove()
})

async function open(name: DoorName, servers: JsonObject): Promise<Agent> {
  home.write('config/servers.json', { mcpServers: servers })
  door = await openDoor(name, home)
  return door.as('main')
}

/** The files of contextd that contain the text. Files may disappear while contextd runs. */
function filesWith(text: string, folder = home.path): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    try {
      if (statSync(path).isDirectory()) return filesWith(text, path)
      return statSync(path).isFile() && readFileSync(path, 'latin1').includes(text) ? [name] : []
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })
}

/** Processes that expose the text to all users of the machine. */
function commandLinesWith(text: string): number {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text)
    } catch {
      return false
    }
  }).length
}

describe.each<DoorName>(['stdio', 'http'])('over %s', (name) => {
  test('a server receives declared variables and no others; a secret arrives there and appears nowhere else', async () => {
    const plain = `plain-argument-${mark.env.TEST_PROCESS_MARK}`
    const env = { ...mark.env, DECLARED: 'a ${FROM_US}', TOKEN: '${secret:KNOWN}' }
    const show = fixture('well-behaved', ['both', plain], { env, protocol: '2025-11-25' })
    const agent = await open(name, { show })
    const { content } = await agent.call('execute_tool', { server: 'show', tool: 'environment' })
    const shown = JSON.parse(content[0]?.text ?? '') as { env: Record<string, string>; pid: number }
    expect(shown.env).toMatchObject({
      DECLARED: 'a passed on',
      TOKEN: expect.stringMatching(/^\[SECRET_\d+\]$/) as string,
    })
    const undeclared = Object.keys(ours).filter((key) => key in shown.env)
    expect(undeclared).toEqual([])
    expect(Object.keys(shown.env).filter((key) => key.startsWith('CONTEXTD_'))).toEqual(['CONTEXTD_STARTED'])

    const real = readFileSync(`/proc/${shown.pid}/environ`, 'latin1').split('\0')
    expect(real).toContain(`TOKEN=${value}`)
    expect(
      real.filter((line) => Object.values(ours).some((one) => one.length > 1 && line.endsWith(`=${one}`))),
    ).toEqual([])

    expect(JSON.stringify(agent.received)).not.toContain(value)
    expect([commandLinesWith(plain), commandLinesWith(value)]).toEqual([1, 0])
    expect(filesWith(plain)).toContain('servers.json')
    expect(filesWith(value)).toEqual([])
    expect(door.logged()).not.toContain(value)
  })

  test('an unset variable is reported, and does not affect others', async () => {
    const agent = await open(name, {
      bare: fixture('notebook', [], {
        env: { A: '${NOT_SET_ANYWHERE}', B: '${secret:NOT_KEPT}', C: '${FROM_US}' },
      }),
      good: fixture('notebook'),
    })
    const call = agent.call('execute_tool', { server: 'bare', tool: 'read' })
    await expect(call).rejects.toMatchObject({
      code: -32001,
      data: {
        code: 'SERVER_UNAVAILABLE',
        server: 'bare',
        why: expect.stringMatching(/NOT_SET_ANYWHERE is not set.*NOT_KEPT is not set/) as string,
      },
    })
    expect(JSON.stringify(agent.received)).not.toContain(ours.FROM_US)
    expect(await agent.call('execute_tool', { server: 'good', tool: 'read' })).toMatchObject({
      structuredContent: { notes: [] },
    })
  })

  test('a header contains the secret on its way to the server, and nobody else sees it', async () => {
    const headers: unknown[] = []
    const url = await serveByHand(web, ({ message, request, reply }) => {
      headers.push(request.headers.authorization)
      if (message.method === 'server/discover') return reply(discovered)
      const tools = [{ name: 'any', inputSchema: { type: 'object' } }]
      const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
      if (message.method === 'tools/list') return reply({ ...complete, tools })
      return reply({
        ...complete,
        content: [{ type: 'text', text: `you sent ${request.headers.authorization}` }],
      })
    })
    const there = { url, headers: { Authorization: 'Bearer ${secret:KNOWN}' }, protocol: '2026-07-28' }
    const agent = await open(name, { there })
    const { content } = await agent.call('execute_tool', { server: 'there', tool: 'any' })
    expect(content[0]?.text).toMatch(/^you sent .*\[SECRET_\d+\]/)
    expect(new Set(headers)).toEqual(new Set([`Bearer ${value}`]))
    expect(JSON.stringify(agent.received)).not.toContain(value)
    expect([...filesWith(value), commandLinesWith(value)]).toEqual([0])
  })
})
