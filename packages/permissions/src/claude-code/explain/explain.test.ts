import { describe, expect, test } from 'vitest'

import { agentOf, hookOf, serverOf, setupWith, type Lists } from '../../../test/claude-setup.ts'
import type { PermissionExplanation } from '../../findings/explanation.ts'
import { explain } from './explain.ts'
import type { PermissionQuestion } from './question.ts'
import { levels, type ClaudeSetup, type Level } from '../setup/setup.ts'

const ask = (
  setup: ClaudeSetup,
  tool: string,
  more: Partial<PermissionQuestion> = {},
): PermissionExplanation => explain(setup, { tool, cliAllow: [], cliDeny: [], ...more })

const servers = [
  serverOf('probe'),
  serverOf('ctx', { source: 'plugin', owner: 'broker' }),
  serverOf('off', { off: 'It is disabled.' }),
  serverOf('own', { source: 'agent', owner: 'scan' }),
  serverOf('a__b'),
]
const tool = 'mcp__probe__act'

describe('precedence', () => {
  const lists = ['deny', 'ask', 'allow'] as const
  const written = levels.filter((level) => level !== 'cli')
  const pairs = lists.flatMap((stronger, index) =>
    lists
      .slice(index + 1)
      .flatMap((weaker) =>
        written.flatMap((one) => written.map((other) => [stronger, one, weaker, other] as const)),
      ),
  )

  test.each(pairs)('%s of %s beats %s of %s', (stronger, one, weaker, other) => {
    const rules: Partial<Record<Level, Lists>> =
      one === other
        ? { [one]: { [stronger]: [tool], [weaker]: [tool] } }
        : { [one]: { [stronger]: [tool] }, [other]: { [weaker]: [tool] } }
    const said = ask(setupWith(rules, { servers }), tool)
    expect(said).toMatchObject({
      decision: stronger,
      isListed: stronger !== 'deny',
      decidedBy: { list: stronger, source: one, file: `${one}.json`, line: 1, column: 1 },
      lost: [{ list: weaker, source: other }],
    })
  })

  test('of the same list, the stronger level is named first', () => {
    const rules = Object.fromEntries(written.map((level) => [level, { deny: [tool] }]))
    const said = ask(setupWith(rules, { servers }), tool, { cliDeny: [tool] })
    expect([said.decidedBy, ...said.lost].map(({ source }) => source)).toEqual(levels)
    expect(said.lost.find(({ source }) => source === 'cli')).toMatchObject({ file: null, line: null })
  })

  test('everything that matched is told, in order, with its reason', () => {
    const setup = setupWith(
      { user: { allow: [tool, 'mcp__*'], ask: ['mcp__probe'] }, project: { deny: ['mcp__probe__*'] } },
      { servers },
    )
    const said = ask(setup, tool)
    expect(said.decidedBy).toMatchObject({
      rule: 'mcp__probe__*',
      why: 'Denies every call of it.',
    })
    expect(said.lost.map(({ rule, why }) => [rule, why])).toEqual([
      ['mcp__probe', 'Asks about every call of it, but a rule that denies comes first.'],
      [tool, 'Allows every call of it, but a rule that denies comes first.'],
      ['mcp__*', 'In an allow rule the client obeys no wildcard in front of the name of a tool.'],
    ])
  })
})

describe('tools of servers', () => {
  test.each<[Lists, string, string]>([
    [{}, tool, 'ask'],
    [{ allow: ['mcp__probe'] }, tool, 'allow'],
    [{ allow: ['mcp__probe__*'] }, tool, 'allow'],
    [{ allow: ['mcp__probe__a*'] }, tool, 'allow'],
    [{ allow: ['mcp__pro*'] }, tool, 'ask'],
    [{ allow: ['mcp__probe(*)'] }, tool, 'ask'],
    [{ deny: ['mcp__pro*'] }, tool, 'deny'],
    [{ deny: ['*'] }, tool, 'deny'],
    [{ deny: ['m*'] }, tool, 'ask'],
    [{ deny: ['mcp__probe(*)'], allow: ['mcp__probe'] }, tool, 'allow'],
    [{ allow: ['mcp__ctx', 'mcp__broker', 'plugin:broker:ctx'] }, 'mcp__plugin_broker_ctx__x', 'ask'],
    [{ allow: ['mcp__plugin_broker_ctx'] }, 'mcp__plugin_broker_ctx__x', 'allow'],
    [{ allow: ['mcp__probe'] }, 'mcp__off__x', 'absent'],
    [{ allow: ['mcp__nobody'] }, 'mcp__nobody__x', 'absent'],
    [{ allow: ['mcp__a__b'] }, 'mcp__a__b__x', 'ask'],
    [{ allow: ['mcp__a__b__*'] }, 'mcp__a__b__x', 'allow'],
    [{ allow: ['mcp__a'] }, 'mcp__a__b__x', 'ask'],
    [{ deny: ['mcp__a'] }, 'mcp__a__b__x', 'deny'],
  ])('%j: %s is %s', (user, name, decision) => {
    expect(ask(setupWith({ user }, { servers }), name).decision).toBe(decision)
  })

  test('rules that name the server in another way are told of, and those about other tools are not', () => {
    const user = {
      allow: ['mcp__ctx__x', 'mcp__ctx__y', 'mcp__probe'],
      ask: ['mcp__broker'],
      deny: ['plugin:broker:ctx'],
    }
    const said = ask(setupWith({ user }, { servers }), 'mcp__plugin_broker_ctx__x')
    expect(said.lost.map(({ rule }) => rule).toSorted()).toEqual([
      'mcp__broker',
      'mcp__ctx__x',
      'plugin:broker:ctx',
    ])
    expect(said.lost[0]?.why).toBe(
      'It misses the tool: ctx comes from the plugin broker, so the name begins with mcp__plugin_broker_ctx__.',
    )
    expect(ask(setupWith({ user }, { servers }), 'mcp__plugin_broker_ctx__z').lost).toHaveLength(2)
  })

  test('a rule with the name that was rewritten is told of', () => {
    const setup = setupWith({ user: { deny: ['mcp__my.srv__do'] } }, { servers: [serverOf('my.srv')] })
    expect(ask(setup, 'mcp__my_srv__do').lost).toMatchObject([
      { rule: 'mcp__my.srv__do', why: 'It misses the tool: the client writes its name as mcp__my_srv__do.' },
    ])
    expect(ask(setup, 'mcp__my_srv__other').lost).toEqual([])
  })

  test('why a server does not run is said where it is defined', () => {
    expect(ask(setupWith({}, { servers }), 'mcp__off__x')).toMatchObject({
      isListed: false,
      decidedBy: {
        file: '.mcp.json',
        line: 1,
        source: 'server',
        why: expect.stringContaining('It is disabled.'),
      },
    })
  })

  test('a tool that the server is known not to have', () => {
    const known = [serverOf('probe', { tools: ['a.b'] })]
    expect(ask(setupWith({}, { servers: known }), 'mcp__probe__a_b').decision).toBe('ask')
    expect(ask(setupWith({}, { servers: known }), 'mcp__probe__c').decision).toBe('absent')
  })

  test('flags take parentheses, and several rules in one', () => {
    const setup = setupWith({}, { servers })
    expect(ask(setup, tool, { cliAllow: ['mcp__probe(*)'] }).decision).toBe('allow')
    expect(ask(setup, tool, { cliAllow: ['Bash(git a, b) mcp__probe'] }).decision).toBe('allow')
    expect(ask(setup, tool, { cliAllow: ['mcp__probe(key:x)'] }).decision).toBe('ask')
  })
})

describe('files', () => {
  test.each<[string, Lists, string, PermissionQuestion['mode'], string]>([
    ['inside is read', {}, 'Read(./a)', undefined, 'allow'],
    ['outside is asked about', {}, 'Read(/etc/x)', undefined, 'ask'],
    [
      'transcripts of the project are read',
      {},
      'Read(~/.claude/projects/-home-me-project/x)',
      undefined,
      'allow',
    ],
    ['those of others are not', {}, 'Read(~/.claude/projects/-home-me-other/x)', undefined, 'ask'],
    ['who plans reads everything', {}, 'Read(/etc/x)', 'plan', 'allow'],
    ['a folder is allowed', { allow: ['Read(//etc/**)'] }, 'Read(/etc/x)', undefined, 'allow'],
    ['the star is the project', { allow: ['Read(*)'] }, 'Read(/etc/x)', undefined, 'ask'],
    ['the bare name is everything', { allow: ['Read'] }, 'Read(/etc/x)', undefined, 'allow'],
    ['what may be written may be read', { allow: ['Edit(//etc/x)'] }, 'Read(/etc/x)', undefined, 'allow'],
    ['writing is asked about', {}, 'Write(./a)', undefined, 'ask'],
    ['writing is accepted', {}, 'Write(./a)', 'acceptEdits', 'allow'],
    ['but not outside', {}, 'Write(/tmp/a)', 'acceptEdits', 'ask'],
    ['nor what is guarded', {}, 'Write(.mcp.json)', 'acceptEdits', 'ask'],
    ['also with a rule', { allow: ['Write', 'Edit(**)'] }, 'Write(.claude/x)', undefined, 'ask'],
    ['unless nothing is asked', {}, 'Write(.claude/x)', 'bypassPermissions', 'allow'],
    ['nobody writes who plans', { allow: ['Write'] }, 'Write(./a)', 'plan', 'deny'],
    ['Edit with a path is for all that write', { allow: ['Edit(a)'] }, 'Write(./a)', undefined, 'allow'],
    ['notebooks too', { allow: ['Edit(a)'] }, 'NotebookEdit(./a)', undefined, 'allow'],
    ['bare Edit is for Edit', { allow: ['Edit'] }, 'Write(./a)', undefined, 'ask'],
    ['Write with a path is for nothing', { allow: ['Write(a)'] }, 'Write(./a)', undefined, 'ask'],
    [
      'what must not be read is not written',
      { allow: ['Write'], deny: ['Read(a)'] },
      'Write(./a)',
      undefined,
      'deny',
    ],
    ['nor where nothing may be read', { allow: ['Write'], deny: ['Read'] }, 'Write(./a)', undefined, 'deny'],
    ['deny holds against the mode', { deny: ['Edit(a)'] }, 'Write(./a)', 'bypassPermissions', 'deny'],
    ['ask too', { ask: ['Edit(a)'] }, 'Write(./a)', 'bypassPermissions', 'ask'],
  ])('%s', (_case, user, name, mode, decision) => {
    const said = ask(setupWith({ user }), name, mode === undefined ? {} : { mode })
    expect(said.decision).toBe(decision)
  })

  test('a bare Read as a flag says nothing about writing', () => {
    const setup = setupWith({ user: { allow: ['Write'] } })
    expect(ask(setup, 'Write(./a)', { cliDeny: ['Read'] }).decision).toBe('allow')
    expect(ask(setup, 'Read(./a)', { cliDeny: ['Read'] })).toMatchObject({
      decision: 'deny',
      isListed: false,
    })
  })

  test('added folders are inside', () => {
    const values = { project: { permissions: { additionalDirectories: ['/srv/data'] } } }
    expect(ask(setupWith({}, { values }), 'Read(/srv/data/x)').decision).toBe('allow')
    expect(ask(setupWith({}, { values, isTrusted: false }), 'Read(/srv/data/x)').decision).toBe('ask')
  })
})

describe('other tools', () => {
  test.each<[Lists, string, string]>([
    [{}, 'WebFetch(https://example.com/x)', 'ask'],
    [{}, 'WebFetch(https://react.dev/x)', 'allow'],
    [{ allow: ['WebFetch(domain:example.com)'] }, 'WebFetch(https://example.com/x)', 'allow'],
    [{ allow: ['WebFetch(domain:example.com)'] }, 'WebFetch(https://a.example.com/x)', 'ask'],
    [{ allow: ['WebFetch(domain:*.example.com)'] }, 'WebFetch(https://a.example.com/x)', 'allow'],
    [{ deny: ['WebFetch(domain:*)'] }, 'WebFetch(domain:react.dev)', 'deny'],
    [{}, 'Agent(scan)', 'allow'],
    [{ deny: ['Agent(scan)'] }, 'Task(scan)', 'deny'],
    [{ deny: ['Task(scan)'] }, 'Agent(scan)', 'deny'],
    [{ deny: ['Task'] }, 'Agent(scan)', 'deny'],
    [{ ask: ['Agent(scan)'] }, 'Agent(scan)', 'allow'],
    [{}, 'Agent(Plan)', 'allow'],
    [{}, 'Agent(nobody)', 'absent'],
    [{}, 'Agent(gone:scan)', 'allow'],
    [{}, 'WebSearch', 'ask'],
    [{}, 'ListAgents', 'allow'],
    [{}, 'Grep', 'absent'],
    [{}, 'Foo', 'absent'],
    [{ deny: ['Bash'] }, 'Monitor(ls)', 'deny'],
    [{ allow: ['Bash'] }, 'Monitor(touch x)', 'ask'],
    [{ allow: ['Bash(touch:*)'] }, 'Monitor(touch x)', 'allow'],
  ])('%j: %s is %s', (user, name, decision) => {
    const parts = { agents: [agentOf('scan')], missingPlugins: ['gone'] }
    expect(ask(setupWith({ user }, parts), name).decision).toBe(decision)
  })

  test('without an argument, what is about some calls is told apart', () => {
    const user = { allow: ['Bash(git:*)'], deny: ['Bash(rm:*)'], ask: ['Read(x)'] }
    const said = ask(setupWith({ user }), 'Bash')
    expect(said).toMatchObject({ decision: 'ask', lost: [] })
    expect(said.partial.map(({ rule }) => rule)).toEqual(['Bash(git:*)', 'Bash(rm:*)'])
  })

  test('a rule for a part of a command is told with what is missing', () => {
    const said = ask(setupWith({ user: { allow: ['Bash(git:*)'] } }), 'Bash(git push && npm test)')
    expect(said.decision).toBe('ask')
    expect(said.lost).toMatchObject([
      { rule: 'Bash(git:*)', why: 'Allows a part of the command, but nothing allows `npm test`.' },
    ])
  })
})

describe('trust, switches and modes', () => {
  test.each([
    ['Bash(npm test)', ['Bash(npm:*)', 'Bash']],
    ['Bash(make && npm test)', ['Bash(npm:*)', 'Bash(make)', 'Bash']],
    ['WebFetch(domain:example.com)', ['WebFetch(domain:example.com)']],
    ['Agent(scan)', ['Agent(scan)']],
  ])('of what an untrusted project allows, only what is about %s is told', (asked, told) => {
    const hosts = ['WebFetch(domain:example.com)', 'WebFetch(domain:example.org)']
    const allow = ['Bash(npm:*)', 'Bash(make)', 'Bash(git push:*)', 'Bash', 'Agent(scan)', 'Agent(other)']
    allow.push(...hosts)
    const agents = ['scan', 'other'].map((name) => agentOf(name))
    const said = ask(setupWith({ project: { allow } }, { isTrusted: false, agents }), asked)
    expect(said.lost.filter(({ why }) => why.includes('not trusted')).map(({ rule }) => rule)).toEqual(told)
  })

  test('what a project allows counts only where it is trusted', () => {
    const rules = { project: { allow: [tool] } }
    expect(ask(setupWith(rules, { servers }), tool).decision).toBe('allow')
    const said = ask(setupWith(rules, { servers, isTrusted: false }), tool)
    expect(said.decision).toBe('ask')
    expect(said.lost).toMatchObject([{ rule: tool, why: expect.stringMatching(/not trusted/) }])
  })

  test.each<[Level, Lists]>([
    ['local', { allow: [tool] }],
    ['user', { allow: [tool] }],
    ['project', { deny: [tool] }],
    ['project', { ask: [tool] }],
  ])('%s %j counts anyway', (level, lists) => {
    const said = ask(setupWith({ [level]: lists }, { servers, isTrusted: false }), tool)
    expect(said.decision).toBe(Object.keys(lists)[0])
  })

  test('only managed rules may count', () => {
    const values = { managed: { allowManagedPermissionRulesOnly: true } }
    const setup = setupWith(
      { managed: { allow: ['mcp__probe'] }, user: { deny: [tool] } },
      { servers, values },
    )
    expect(ask(setup, tool).decision).toBe('allow')
    expect(ask(setup, tool, { cliDeny: [tool] }).decision).toBe('deny')
    expect(ask(setup, 'Bash(touch x)', { cliAllow: ['Bash'] }).decision).toBe('ask')
  })

  const mode = (defaultMode: string) => ({ permissions: { defaultMode } })

  test.each([
    ['user', { user: mode('acceptEdits') }, 'allow'],
    ['the project', { project: mode('acceptEdits') }, 'allow'],
    ['the stronger', { local: mode('default'), user: mode('acceptEdits') }, 'ask'],
    ['not bypass of a project', { project: mode('bypassPermissions') }, 'ask'],
    ['bypass of the user', { user: mode('bypassPermissions') }, 'allow'],
    [
      'no bypass where it is switched off',
      {
        user: mode('bypassPermissions'),
        project: { permissions: { disableBypassPermissionsMode: 'disable' } },
      },
      'ask',
    ],
    ['dontAsk', { user: mode('dontAsk') }, 'deny'],
  ])('the mode is that of %s', (_case, values, decision) => {
    expect(ask(setupWith({}, { values }), 'Write(./a)').decision).toBe(decision)
  })

  test('how the client is started comes before its settings', () => {
    const setup = setupWith({}, { values: { managed: mode('acceptEdits') } })
    expect(ask(setup, 'Write(./a)', { mode: 'default' }).decision).toBe('ask')
  })
})

test('the hooks that will be asked are named', () => {
  const hooks = [hookOf('PreToolUse', 'Bash'), hookOf('PermissionRequest', ''), hookOf('PreToolUse', 'Read')]
  const events = (name: string, user: Lists = {}): string[] =>
    ask(setupWith({ user }, { hooks }), name).hooks.map(({ event }) => event)
  expect(events('Bash(touch x)')).toEqual(['PreToolUse', 'PermissionRequest'])
  expect(events('Bash(ls)')).toEqual(['PreToolUse'])
  expect(events('Bash(ls)', { deny: ['Bash'] })).toEqual([])
  expect(events('Bash(ls)', { deny: ['Bash(ls)'] })).toEqual(['PreToolUse'])
})

test('hooks of the agent that the main conversation is are asked about its subagents too', () => {
  const agents = [agentOf('lead'), agentOf('free')]
  const hooks = [hookOf('PreToolUse', '', { source: 'agent', owner: 'lead', file: 'lead.md' })]
  const setup = setupWith({}, { agents, hooks })
  expect(ask(setup, 'Read(./a)', { runAs: 'lead', agent: 'free' }).hooks).toHaveLength(1)
  expect(ask(setup, 'Read(./a)', { agent: 'free' }).hooks).toEqual([])
})

test('nothing that is asked breaks it', () => {
  const user = {
    allow: ['', '(', 'mcp__', '*', 'Bash(', 'Read(!)', 'Read([)', 'Bash(:*)'],
    deny: ['Read(\\)', 'x(y'],
  }
  for (const name of [
    '',
    '(',
    'mcp__',
    'Bash(',
    'Bash())',
    'Read()',
    'Read(\0)',
    `Bash(${'('.repeat(3000)})`,
    'mcp__a__',
  ])
    expect(['allow', 'ask', 'deny', 'absent']).toContain(ask(setupWith({ user }), name).decision)
})
