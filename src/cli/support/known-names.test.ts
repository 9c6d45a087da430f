import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime } from '../../compose.ts'
import { isBuiltin } from '../../tools/builtin/registry.ts'
import { builtinNames } from '../../tools/builtin/names.ts'
import { nearestKnownName, nameFinder, hintMeantName, type NameKind } from './known-names.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

async function names(kind: NameKind): Promise<string[]> {
  return (await nameFinder({ env: home.env, cwd: home.project })(kind)).map(({ value }) => value)
}

describe('names', () => {
  test('of agents come from the rules, or from the built-in ones', async () => {
    expect(await names('agents')).toEqual(['main', 'default'])
    home.write('config/rules.json', { agents: { frontend: {} } })
    home.write('project/.contextd/rules.json', {
      agents: { frontend: {}, scanner: { aliases: ['contextd:scanner', 7] } },
    })
    expect(await names('agents')).toEqual(['frontend', 'scanner', 'contextd:scanner'])
  })

  test('of servers and tools come from files and folders', async () => {
    home.write('config/servers.json', { mcpServers: { github: {} } })
    home.write('project/.mcp.json', { mcpServers: { notes: {} } })
    mkdirSync(join(home.project, '.contextd/tools/my tool'), { recursive: true })
    expect(await names('servers')).toEqual(['contextd', 'github', 'notes'])
    expect(await names('own-tools')).toEqual(['my tool'])
    expect(await names('tools')).toEqual([...builtinNames, 'my tool'])
    expect([...builtinNames].filter((name) => !isBuiltin(name))).toEqual([])
  })

  test("of a client's agents, and of the linter's rules", async () => {
    home.env.HOME = home.path
    home.write('project/.claude/agents/a.md', '---\nname: scanner\ndescription: scans\n---\nScan.\n')
    expect(await names('client-agents')).toEqual(['scanner'])
    expect(await names('permission-rules')).toContain('mcp-rule-parentheses')
  })

  test('with hidden characters are omitted, and invalid files have none', async () => {
    home.write('config/servers.json', {
      mcpServers: { ok: {}, 'a\u001B[2J': {}, 'b\nc': {}, 'd\u202Ee': {}, '': {} },
    })
    expect(await names('servers')).toEqual(['contextd', 'ok'])
    home.write('config/servers.json', '{')
    home.write('project/.mcp.json', '[]')
    expect(await names('servers')).toEqual(['contextd'])
  })

  test('are not read from endless files', async () => {
    mkdirSync(join(home.project, '.contextd'), { recursive: true })
    symlinkSync('/dev/zero', join(home.project, '.mcp.json'))
    home.write('project/real.json', { mcpServers: { linked: {} } })
    symlinkSync('../real.json', join(home.project, '.contextd/servers.json'))
    expect(await names('servers')).toEqual(['contextd', 'linked'])
  })

  test('of stored items come newest first, with descriptions', async () => {
    expect(await names('memories')).toEqual([])
    const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
    const bank = await runtime.memory.bank()
    const user = runtime.memory.operatorIn()
    for (const title of ['First', 'Second']) {
      await bank.store(user, {
        title,
        description: `When ${title} helps.`,
        content: `What ${title} says.`,
        outcome: 'success',
        task: '',
        tags: [],
      })
    }
    await runtime.close()
    const found = await nameFinder({ env: home.env, cwd: home.project })('memories')
    expect(found.map(({ description }) => description)).toEqual(['Second', 'First'])
    expect(found[0]?.value).toMatch(/^mem_/)
    expect(await names('checkpoints')).toEqual([])
    const elsewhere = await nameFinder({ env: home.env, cwd: home.path })('memories')
    expect(elsewhere).toEqual([])
  })
})

describe('suggestion', () => {
  test('is the closest name, and nothing for a known or distant one', async () => {
    const { io, err } = fakeIo({ env: home.env, cwd: home.project })
    expect(await nearestKnownName('agents', 'mian', io)).toBe('main')
    expect(await nearestKnownName('agents', 'main', io)).toBeUndefined()
    expect(await nearestKnownName('agents', 'something-else', io)).toBeUndefined()
    expect(await nearestKnownName('config-keys', 'htp.port', io)).toBe('http.port')
    for (const name of ['main', undefined, 'mian']) await hintMeantName('agents', name, io)
    expect(err()).toBe('note: unknown name mian; did you mean main?\n')
  })
})
