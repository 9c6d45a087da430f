import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { rulesCommand } from './rules.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const good = {
  agents: {
    front: {
      allow: { servers: ['browser'], tools: { browser: ['*'] } },
      deny: { tools: { browser: ['drop_*'] } },
    },
  },
  examples: { allow: ['front browser.click'], deny: ['front browser.drop_all'] },
}

test('check: no file, a valid one, an invalid one with line and column', async () => {
  expect((await home.run(rulesCommand, 'check')).out()).toContain('the built-in rules apply')
  const file = home.write('config/rules.json', { agents: { main: {} } })
  expect((await home.run(rulesCommand, 'check')).out()).toContain(`${file}: no problems\n`)
  const bad = home.write('bad.json', '{\n  "agents": { "front": { "alow": {} } }\n}')
  const { out, code } = await home.run(rulesCommand, 'check', bad)
  expect(code()).toBe(78)
  expect(out()).toMatch(/bad\.json:2:\d+: .*alow.*allow/)
  const json = JSON.parse((await home.run(rulesCommand, 'check', bad, '--json')).out()) as object
  expect(json).toMatchObject({ ok: false, problems: [{ line: 2 }] })
})

test('check: says which agents have the built-in rules for the server contextd', async () => {
  const file = home.write('config/rules.json', {
    agents: {
      main: { allow: { servers: ['browser'] } },
      plan: { deny: { tools: { contextd: ['safe_bash'] } } },
      build: { allow: { servers: ['contextd'], capabilities: ['fs:read:**'] } },
    },
  })
  const text = (await home.run(rulesCommand, 'check')).out()
  expect(text).toContain(`${file}: no problems\n`)
  expect(text).toContain('Built-in rules for the server contextd apply to main, plan: ')
  const json = JSON.parse((await home.run(rulesCommand, 'check', '--json')).out()) as object
  expect(json).toMatchObject({ ok: true, builtin: ['main', 'plan'] })
})

test('check: finds what cannot work, with file, line and fix', async () => {
  home.write('config/servers.json', { mcpServers: { postgres: { command: 'x' } } })
  home.write('project/.claude/agents/scout.md', '---\nname: scout\ndescription: looks\n---\n')
  const file = home.write(
    'config/rules.json',
    `{
  "agents": {
    "main": { "allow": { "servers": ["postgers"] } },
    "scout": {},
    "scuot": { "reveal": [{ "tool": "http_fetch" }] }
  }
}`,
  )
  const { out, code } = await home.run(rulesCommand, 'check')
  expect(code()).toBe(0)
  expect(out()).toContain(
    `${file}:3:38: agents.main.allow.servers[0]: there is no server "postgers"\n    fix: Write "postgres".\n`,
  )
  expect(out()).toContain(`${file}:5:5: agents.scuot: no client here has an agent "scuot"`)
  expect(out()).toContain('fix: Write "scout", or add it to "aliases".')
  expect(out()).toContain(`${file}:5:16: agents.scuot.reveal: nothing is revealed`)
  expect(out()).not.toContain('agents.scout:')
  const { mistakes } = JSON.parse((await home.run(rulesCommand, 'check', '--json')).out()) as {
    mistakes: object[]
  }
  expect(mistakes).toMatchObject([{ file, line: 3, fix: 'Write "postgres".' }, { line: 5 }, { line: 5 }])
})

test('check: without an argument, checks the file of an older gateway if that one applies', async () => {
  const file = home.write('config/.mcp-gateway-rules.json', {
    agents: { main: { allow: { servers: ['contextd'] } } },
  })
  expect((await home.run(rulesCommand, 'check')).out()).toBe(`${file}: no problems\n`)
})

test.each(['check', 'test'])('%s: a missing file is an error, not a verdict', async (command) => {
  const { out, err, code } = await home.run(rulesCommand, command, 'missing.json', '--json')
  expect([out(), code()]).toEqual(['', 12])
  expect(JSON.parse(err())).toMatchObject({
    error: {
      code: 'NOT_FOUND',
      message: expect.stringMatching(/^There is no rules file .*\/missing\.json$/),
    },
  })
})

test('explain: prints the decision, its rule with file and line, and everything that matched', async () => {
  const file = home.write('config/rules.json', good)
  const ask = ['explain', '--agent', 'front', '--server', 'browser', '--tool', 'drop_all']
  const { out } = await home.run(rulesCommand, ...ask, '--json')
  expect(JSON.parse(out())).toMatchObject({
    decision: 'deny',
    rule: 'agents.front.deny.tools.browser[0]',
    file,
    line: expect.any(Number),
    matched: [{ effect: 'deny' }, { effect: 'allow' }, { effect: 'allow' }],
  })
  const text = (await home.run(rulesCommand, ...ask)).out()
  expect(text).toMatch(/^deny: /)
  expect(text).toContain(`by agents.front.deny.tools.browser[0] (${file}:`)
  const allowed = await home.run(
    rulesCommand,
    'explain',
    '--agent',
    'front',
    '--server',
    'browser',
    '--tool',
    'click',
  )
  expect(allowed.out()).toMatch(/^allow: /)
})

test('explain: for a tool of contextd, matches the error that a call would return', async () => {
  home.write('config/rules.json', {
    agents: { main: { allow: { servers: ['contextd', 'browser'], capabilities: ['fs:read:**'] } } },
  })
  const ask = async (server: string, tool: string): Promise<unknown> => {
    const argv = ['explain', '--agent', 'main', '--server', server, '--tool', tool, '--json']
    return JSON.parse((await home.run(rulesCommand, ...argv)).out())
  }
  expect(await ask('contextd', 'safe_bash')).toMatchObject({
    decision: 'deny',
    rule: 'agents.main.allow.capabilities',
    line: expect.any(Number),
    reason: 'the tool needs the capability shell:exec, which the agent is not granted',
  })
  expect(await ask('contextd', 'safe_read')).toMatchObject({ decision: 'allow' })
  // Another server may have a tool of the same name, which needs no capabilities.
  expect(await ask('browser', 'safe_bash')).toMatchObject({ decision: 'allow' })
})

test('explain: invalid rules are an error, not a decision', async () => {
  home.write('config/rules.json', '{')
  const { code, out } = await home.run(
    rulesCommand,
    'explain',
    '--agent',
    'a',
    '--server',
    's',
    '--tool',
    't',
  )
  expect([code(), out()]).toEqual([78, ''])
})

test('test: each example passes or fails by name', async () => {
  const file = home.write('rules.json', good)
  expect((await home.run(rulesCommand, 'test', file)).out()).toBe(
    'ok   allow front browser.click\nok   deny front browser.drop_all\n2 passed, 0 failed\n',
  )
  const wrong = home.write('wrong.json', { ...good, examples: { allow: ['front browser.drop_all'] } })
  const { out, code } = await home.run(rulesCommand, 'test', wrong)
  expect(code()).toBe(78)
  expect(out()).toContain('FAIL allow front browser.drop_all')
  expect(out()).toContain('0 passed, 1 failed')
})
