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
    const result = ask(setupWith(rules, { servers }), tool)
    expect(result).toMatchObject({
      decision: stronger,
      isListed: stronger !== 'deny',
      decidedBy: { list: stronger, source: one, file: `${one}.json`, line: 1, column: 1 },
      lost: [{ list: weaker, source: other }],
    })
  })

  test('lists the stronger level first within one list', () => {
    const rules = Object.fromEntries(written.map((level) => [level, { deny: [tool] }]))
    const result = ask(setupWith(rules, { servers }), tool, { cliDeny: [tool] })
    expect([result.decidedBy, ...result.lost].map(({ source }) => source)).toEqual(levels)
    expect(result.lost.find(({ source }) => source === 'cli')).toMatchObject({ file: null, line: null })
  })

  test('lists everything that matched, in order, with its reason', () => {
    const setup = setupWith(
      { user: { allow: [tool, 'mcp__*'], ask: ['mcp__probe'] }, project: { deny: ['mcp__probe__*'] } },
      { servers },
    )
    const result = ask(setup, tool)
    expect(result.decidedBy).toMatchObject({
      rule: 'mcp__probe__*',
      why: 'Denies every call of it.',
    })
    expect(result.lost.map(({ rule, why }) => [rule, why])).toEqual([
      ['mcp__probe', 'Asks about every call of it, but a deny rule takes precedence.'],
      [tool, 'Allows every call of it, but a deny rule takes precedence.'],
      ['mcp__*', 'In an allow rule, the client ignores a wildcard before the tool name.'],
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

  test('reports rules that use another name of the server, but not rules for other tools', () => {
    const user = {
      allow: ['mcp__ctx__x', 'mcp__ctx__y', 'mcp__probe'],
      ask: ['mcp__broker'],
      deny: ['plugin:broker:ctx'],
    }
    const result = ask(setupWith({ user }, { servers }), 'mcp__plugin_broker_ctx__x')
    expect(result.lost.map(({ rule }) => rule).toSorted()).toEqual([
      'mcp__broker',
      'mcp__ctx__x',
      'plugin:broker:ctx',
    ])
    expect(result.lost[0]?.why).toBe(
      'It does not match the tool: ctx comes from the plugin broker, so the name begins with mcp__plugin_broker_ctx__.',
    )
    expect(ask(setupWith({ user }, { servers }), 'mcp__plugin_broker_ctx__z').lost).toHaveLength(2)
  })

  test('reports a rule with the original form of a rewritten name', () => {
    const setup = setupWith({ user: { deny: ['mcp__my.srv__do'] } }, { servers: [serverOf('my.srv')] })
    expect(ask(setup, 'mcp__my_srv__do').lost).toMatchObject([
      {
        rule: 'mcp__my.srv__do',
        why: "It does not match the tool: the client's name for it is mcp__my_srv__do.",
      },
    ])
    expect(ask(setup, 'mcp__my_srv__other').lost).toEqual([])
  })

  test('reports why a server does not run at the place of its definition', () => {
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

  test('a tool that the server does not list is absent', () => {
    const known = [serverOf('probe', { tools: ['a.b'] })]
    expect(ask(setupWith({}, { servers: known }), 'mcp__probe__a_b').decision).toBe('ask')
    expect(ask(setupWith({}, { servers: known }), 'mcp__probe__c').decision).toBe('absent')
  })

  test('flags accept parentheses and several rules each', () => {
    const setup = setupWith({}, { servers })
    expect(ask(setup, tool, { cliAllow: ['mcp__probe(*)'] }).decision).toBe('allow')
    expect(ask(setup, tool, { cliAllow: ['Bash(git a, b) mcp__probe'] }).decision).toBe('allow')
    expect(ask(setup, tool, { cliAllow: ['mcp__probe(key:x)'] }).decision).toBe('ask')
  })
})

describe('files', () => {
  test.each<[string, Lists, string, PermissionQuestion['mode'], string]>([
    ['reads inside the project are allowed', {}, 'Read(./a)', undefined, 'allow'],
    ['reads outside prompt', {}, 'Read(/etc/x)', undefined, 'ask'],
    [
      'transcripts of the project can be read',
      {},
      'Read(~/.claude/projects/-home-me-project/x)',
      undefined,
      'allow',
    ],
    [
      'transcripts of other projects cannot',
      {},
      'Read(~/.claude/projects/-home-me-other/x)',
      undefined,
      'ask',
    ],
    ['plan mode reads everything', {}, 'Read(/etc/x)', 'plan', 'allow'],
    ['a rule allows a folder', { allow: ['Read(//etc/**)'] }, 'Read(/etc/x)', undefined, 'allow'],
    ['a star matches the project only', { allow: ['Read(*)'] }, 'Read(/etc/x)', undefined, 'ask'],
    ['the bare name matches everything', { allow: ['Read'] }, 'Read(/etc/x)', undefined, 'allow'],
    [
      'permission to write includes reading',
      { allow: ['Edit(//etc/x)'] },
      'Read(/etc/x)',
      undefined,
      'allow',
    ],
    ['writes prompt', {}, 'Write(./a)', undefined, 'ask'],
    ['acceptEdits allows writes', {}, 'Write(./a)', 'acceptEdits', 'allow'],
    ['but not outside the project', {}, 'Write(/tmp/a)', 'acceptEdits', 'ask'],
    ['nor to guarded paths', {}, 'Write(.mcp.json)', 'acceptEdits', 'ask'],
    ['not even with an allow rule', { allow: ['Write', 'Edit(**)'] }, 'Write(.claude/x)', undefined, 'ask'],
    ['unless the mode never prompts', {}, 'Write(.claude/x)', 'bypassPermissions', 'allow'],
    ['plan mode does not write', { allow: ['Write'] }, 'Write(./a)', 'plan', 'deny'],
    ['Edit with a path matches every writing tool', { allow: ['Edit(a)'] }, 'Write(./a)', undefined, 'allow'],
    ['including notebooks', { allow: ['Edit(a)'] }, 'NotebookEdit(./a)', undefined, 'allow'],
    ['bare Edit matches Edit only', { allow: ['Edit'] }, 'Write(./a)', undefined, 'ask'],
    ['Write with a path matches nothing', { allow: ['Write(a)'] }, 'Write(./a)', undefined, 'ask'],
    [
      'a Read denial also denies writes',
      { allow: ['Write'], deny: ['Read(a)'] },
      'Write(./a)',
      undefined,
      'deny',
    ],
    ['so does a bare Read denial', { allow: ['Write'], deny: ['Read'] }, 'Write(./a)', undefined, 'deny'],
    ['deny overrides the mode', { deny: ['Edit(a)'] }, 'Write(./a)', 'bypassPermissions', 'deny'],
    ['so does ask', { ask: ['Edit(a)'] }, 'Write(./a)', 'bypassPermissions', 'ask'],
  ])('%s', (_case, user, name, mode, decision) => {
    const result = ask(setupWith({ user }), name, mode === undefined ? {} : { mode })
    expect(result.decision).toBe(decision)
  })

  test('a bare Read denied as a flag does not affect writes', () => {
    const setup = setupWith({ user: { allow: ['Write'] } })
    expect(ask(setup, 'Write(./a)', { cliDeny: ['Read'] }).decision).toBe('allow')
    expect(ask(setup, 'Read(./a)', { cliDeny: ['Read'] })).toMatchObject({
      decision: 'deny',
      isListed: false,
    })
  })

  test('added folders are treated like the project', () => {
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

  test('without an argument, lists rules for some calls separately', () => {
    const user = { allow: ['Bash(git:*)'], deny: ['Bash(rm:*)'], ask: ['Read(x)'] }
    const result = ask(setupWith({ user }), 'Bash')
    expect(result).toMatchObject({ decision: 'ask', lost: [] })
    expect(result.partial.map(({ rule }) => rule)).toEqual(['Bash(git:*)', 'Bash(rm:*)'])
  })

  test('reports a rule for part of a command, with the part that is not allowed', () => {
    const result = ask(setupWith({ user: { allow: ['Bash(git:*)'] } }), 'Bash(git push && npm test)')
    expect(result.decision).toBe('ask')
    expect(result.lost).toMatchObject([
      { rule: 'Bash(git:*)', why: 'Allows part of the command, but nothing allows `npm test`.' },
    ])
  })
})

describe('trust, switches and modes', () => {
  test.each([
    ['Bash(npm test)', ['Bash(npm:*)', 'Bash']],
    ['Bash(make && npm test)', ['Bash(npm:*)', 'Bash(make)', 'Bash']],
    ['WebFetch(domain:example.com)', ['WebFetch(domain:example.com)']],
    ['Agent(scan)', ['Agent(scan)']],
  ])('of the rules an untrusted project allows, reports only those that match %s', (call, reported) => {
    const hosts = ['WebFetch(domain:example.com)', 'WebFetch(domain:example.org)']
    const allow = ['Bash(npm:*)', 'Bash(make)', 'Bash(git push:*)', 'Bash', 'Agent(scan)', 'Agent(other)']
    allow.push(...hosts)
    const agents = ['scan', 'other'].map((name) => agentOf(name))
    const result = ask(setupWith({ project: { allow } }, { isTrusted: false, agents }), call)
    expect(result.lost.filter(({ why }) => why.includes('not trusted')).map(({ rule }) => rule)).toEqual(
      reported,
    )
  })

  test('allow rules of a project apply only if it is trusted', () => {
    const rules = { project: { allow: [tool] } }
    expect(ask(setupWith(rules, { servers }), tool).decision).toBe('allow')
    const result = ask(setupWith(rules, { servers, isTrusted: false }), tool)
    expect(result.decision).toBe('ask')
    expect(result.lost).toMatchObject([{ rule: tool, why: expect.stringMatching(/not trusted/) }])
  })

  test.each<[Level, Lists]>([
    ['local', { allow: [tool] }],
    ['user', { allow: [tool] }],
    ['project', { deny: [tool] }],
    ['project', { ask: [tool] }],
  ])('%s %j applies anyway', (level, lists) => {
    const result = ask(setupWith({ [level]: lists }, { servers, isTrusted: false }), tool)
    expect(result.decision).toBe(Object.keys(lists)[0])
  })

  test('managed settings can disable all other rules', () => {
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
      'no bypass where it is disabled',
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

  test('the start flag overrides the settings', () => {
    const setup = setupWith({}, { values: { managed: mode('acceptEdits') } })
    expect(ask(setup, 'Write(./a)', { mode: 'default' }).decision).toBe('ask')
  })
})

test('lists the hooks that will run', () => {
  const hooks = [hookOf('PreToolUse', 'Bash'), hookOf('PermissionRequest', ''), hookOf('PreToolUse', 'Read')]
  const events = (name: string, user: Lists = {}): string[] =>
    ask(setupWith({ user }, { hooks }), name).hooks.map(({ event }) => event)
  expect(events('Bash(touch x)')).toEqual(['PreToolUse', 'PermissionRequest'])
  expect(events('Bash(ls)')).toEqual(['PreToolUse'])
  expect(events('Bash(ls)', { deny: ['Bash'] })).toEqual([])
  expect(events('Bash(ls)', { deny: ['Bash(ls)'] })).toEqual(['PreToolUse'])
})

test("hooks of the main conversation's agent also run for its subagents", () => {
  const agents = [agentOf('lead'), agentOf('free')]
  const hooks = [hookOf('PreToolUse', '', { source: 'agent', owner: 'lead', file: 'lead.md' })]
  const setup = setupWith({}, { agents, hooks })
  expect(ask(setup, 'Read(./a)', { runAs: 'lead', agent: 'free' }).hooks).toHaveLength(1)
  expect(ask(setup, 'Read(./a)', { agent: 'free' }).hooks).toEqual([])
})

test('malformed rules and questions still get a decision', () => {
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
