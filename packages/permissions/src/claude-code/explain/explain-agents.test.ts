import { describe, expect, test } from 'vitest'

import { agentOf, serverOf, setupWith, type Parts } from '../../../test/claude-setup.ts'
import type { PermissionExplanation } from '../../findings/explanation.ts'
import { explain } from './explain.ts'
import type { PermissionQuestion } from './question.ts'
import type { ClaudeSetup } from '../setup/setup.ts'

const ask = (setup: ClaudeSetup, tool: string, more: Partial<PermissionQuestion>): PermissionExplanation =>
  explain(setup, { tool, cliAllow: [], cliDeny: [], ...more })

const agents = [
  agentOf('scan', { tools: ['Read'], permissionMode: 'acceptEdits' }),
  agentOf('lead', { disallowedTools: ['mcp__probe'], tools: ['*', 'Agent(Plan)'] }),
  agentOf('free', { permissionMode: 'acceptEdits' }),
  agentOf('broker:lead', { source: 'plugin', disallowedTools: ['Bash'], permissionMode: 'acceptEdits' }),
]
const servers = [serverOf('probe'), serverOf('own', { source: 'agent', owner: 'scan' })]
const tool = 'mcp__probe__act'
const setup = setupWith({ user: { allow: ['mcp__probe'] } }, { servers, agents })

test('a tool that the agent lacks is absent even if rules allow it', () => {
  expect(ask(setup, tool, { agent: 'scan' })).toMatchObject({
    decision: 'absent',
    isListed: false,
    decidedBy: { source: 'agent', file: 'scan.md', line: 3 },
    lost: [{ rule: 'mcp__probe', list: 'allow' }],
  })
  expect(ask(setup, tool, { agent: 'free' }).decision).toBe('allow')
  expect(ask(setup, tool, { agent: 'Explore' }).decision).toBe('allow')
  expect(ask(setup, 'Write(./a)', { agent: 'Explore' }).decision).toBe('absent')
})

test('reports entries that were meant to grant or remove the tool but do not match it', () => {
  const context7 = serverOf('context7', { source: 'plugin', owner: 'context7' })
  const nearMisses = [
    agentOf('short', { tools: ['Read', 'mcp__context7__query'] }),
    agentOf('starred', { tools: ['Read', 'mcp__plugin_context7_context7__q*'] }),
    agentOf('both', { tools: ['mcp__context7__query', 'mcp__plugin_context7_context7__query'] }),
    agentOf('open', { disallowedTools: ['mcp__context7__query'] }),
    agentOf('closed', { disallowedTools: ['mcp__context7__query', 'mcp__plugin_context7_context7'] }),
    agentOf('other', { tools: ['Read', 'mcp__context7__other'] }),
  ]
  const prefixed = setupWith({}, { servers: [context7], agents: nearMisses })
  const outcome = (agent: string): [string, ...string[]] => {
    const { decision, lost } = ask(prefixed, 'mcp__plugin_context7_context7__query', { agent })
    return [decision, ...lost.map(({ rule, why }) => `${rule} ${why.slice(0, 27)}`)]
  }
  expect(outcome('short')).toEqual(['absent', 'tools: mcp__context7__query It does not match the tool:'])
  expect(outcome('starred')).toEqual([
    'absent',
    'tools: mcp__plugin_context7_context7__q* It does not match the tool:',
  ])
  expect(outcome('both')).toEqual(['ask'])
  expect(outcome('open')).toEqual([
    'ask',
    'disallowedTools: mcp__context7__query It does not match the tool:',
  ])
  expect(outcome('closed')).toEqual(['absent'])
  expect(outcome('other')).toEqual(['absent'])
})

test('a deny rule is reported rather than the agent', () => {
  const denied = setupWith({ user: { deny: ['mcp__probe'] } }, { servers, agents })
  expect(ask(denied, tool, { agent: 'scan' })).toMatchObject({
    decision: 'deny',
    isListed: false,
    lost: [{ source: 'agent' }],
  })
})

test('servers of an agent are available to it only', () => {
  expect(ask(setup, 'mcp__own__x', { agent: 'scan' }).decision).toBe('ask')
  expect(ask(setup, 'mcp__own__x', {}).decision).toBe('absent')
})

test('the mode of an agent applies to it, unless it comes from a plugin', () => {
  expect(ask(setup, 'Write(./a)', { agent: 'free' }).decision).toBe('allow')
  expect(ask(setup, 'Write(./a)', { agent: 'broker:lead' }).decision).toBe('ask')
  expect(ask(setup, 'Write(./a)', { runAs: 'free' }).decision).toBe('ask')
  expect(ask(setup, 'Write(./a)', { agent: 'free', mode: 'plan' }).decision).toBe('deny')
})

test('a plan session prompts for agents and reads everywhere; a planning agent in another session does neither', () => {
  const planners = setupWith(
    { user: { allow: ['Agent'] } },
    { agents: [agentOf('plans', { permissionMode: 'plan' })] },
  )
  const decisions = (more: Partial<PermissionQuestion>): string[] =>
    ['Agent(Plan)', 'Read(//far/a)', 'Write(./.git/x)', 'Write(./a)'].map(
      (call) => ask(planners, call, more).decision,
    )
  expect(decisions({ mode: 'plan' })).toEqual(['ask', 'allow', 'ask', 'deny'])
  expect(decisions({ agent: 'plans' })).toEqual(['allow', 'ask', 'ask', 'deny'])
})

test('an agent that lists some tools of a server has only those', () => {
  const some = setupWith({}, { servers, agents: [agentOf('some', { tools: ['Read', tool] })] })
  expect(ask(some, 'mcp__probe', { agent: 'some' })).toMatchObject({
    decision: 'ask',
    partial: [{ rule: `tools: ${tool}`, source: 'agent', file: 'some.md' }],
  })
  expect(ask(some, 'mcp__probe', {})).toMatchObject({ decision: 'ask', partial: [] })
  expect(ask(some, 'mcp__probe__look', { agent: 'some' }).decision).toBe('absent')
})

describe('a classifier instead of the user', () => {
  const calls = ['Write(./a)', 'Read(//far/a)', 'Bash(node x)', 'Bash(rm -rf ~)', 'Agent(Plan)']
  const classifier = { decision: 'ask', decidedBy: { rule: 'classifier', source: 'mode' } }
  const setupFor = (rules: Parts['rules'], values: NonNullable<Parts['values']> = {}): ClaudeSetup =>
    setupWith(rules, { values, agents: [agentOf('unasked', { permissionMode: 'auto' })] })
  const decisions = (one: ClaudeSetup, more: Partial<PermissionQuestion>): string[] =>
    calls.map((call) => ask(one, call, more).decision)
  const auto = ['allow', 'allow', 'ask', 'deny', 'ask']
  const asking = ['ask', 'ask', 'ask', 'ask', 'allow']

  test('decides in auto mode if no rule does', () => {
    expect(decisions(setupFor({}), { mode: 'auto' })).toEqual(auto)
    expect(decisions(setupFor({}), { agent: 'unasked' })).toEqual(auto)
    expect(decisions(setupFor({}), {})).toEqual(asking)
    expect(ask(setupFor({}), 'Bash(node x)', { mode: 'auto' })).toMatchObject({ ...classifier, lost: [] })
    const guarded = ask(setupFor({ user: { allow: ['Write'] } }), 'Write(./.git/x)', { mode: 'auto' })
    expect(guarded).toMatchObject({
      ...classifier,
      lost: [{ rule: 'guarded path' }, { rule: 'Write' }, { rule: 'auto' }],
    })
  })

  test('does not override rules, except overly broad allow rules', () => {
    const ruled = setupFor({
      user: { allow: ['Bash', 'Bash(make)'], ask: ['Bash(node:*)'], deny: ['Bash(cp:*)'] },
    })
    const result = (call: string): PermissionExplanation => ask(ruled, call, { mode: 'auto' })
    expect(result('Bash(make)').decision).toBe('allow')
    expect(result('Bash(cp a b)').decision).toBe('deny')
    expect(result('Bash(node x)')).toMatchObject({ decision: 'ask', decidedBy: { rule: 'Bash(node:*)' } })
    expect(result('Bash(deno x)')).toMatchObject({ ...classifier, lost: [{ rule: 'Bash' }] })
    expect(ask(ruled, 'Bash(deno x)', {}).decision).toBe('allow')
  })

  test.each<[string, NonNullable<Parts['values']>, string[]]>([
    ['a user', { user: { permissions: { defaultMode: 'auto' } } }, auto],
    ['a project, which cannot', { project: { permissions: { defaultMode: 'auto' } } }, asking],
    [
      'a project, which overrides the user setting',
      {
        project: { permissions: { defaultMode: 'auto' } },
        user: { permissions: { defaultMode: 'acceptEdits' } },
      },
      asking,
    ],
    [
      'a user, while another level disables it',
      { user: { permissions: { defaultMode: 'auto' } }, local: { disableAutoMode: 'disable' } },
      asking,
    ],
  ])('is set by %s', (_, settings, expected) => {
    expect(decisions(setupFor({}, settings), {})).toEqual(expected)
  })

  test('also decides in plan mode, unless the user disables it', () => {
    const plans = (values: Parts['values']): string =>
      ask(setupFor({}, values), 'Bash(node x)', { mode: 'plan' }).decidedBy.rule
    expect(plans({})).toBe('classifier')
    expect(plans({ project: { useAutoModeDuringPlan: false } })).toBe('classifier')
    expect(plans({ user: { useAutoModeDuringPlan: false } })).toBe('default: asks')
    expect(plans({ project: { permissions: { disableAutoMode: 'disable' } } })).toBe('default: asks')
  })
})

test('manual is an alias of default, and dontAsk denies what would prompt', () => {
  const settings = {
    user: { permissions: { defaultMode: 'acceptEdits' } },
    project: { permissions: { defaultMode: 'manual' } },
  }
  const named = setupWith({}, { values: settings })
  expect(ask(named, 'Write(./a)', {}).decision).toBe('ask')
  expect(ask(named, 'Write(./a)', { mode: 'acceptEdits' }).decision).toBe('allow')
  expect(ask(named, 'Write(./a)', { mode: 'manual' }).decision).toBe('ask')
  expect(ask(named, 'Write(./a)', { mode: 'dontAsk' }).decision).toBe('deny')
  expect(ask(named, 'Read(./a)', { mode: 'dontAsk' }).decision).toBe('allow')
})

test('the main conversation lacks the tools its agent lacks; its subagents do not', () => {
  expect(ask(setup, tool, { runAs: 'lead' }).decision).toBe('absent')
  expect(ask(setup, tool, { runAs: 'lead', agent: 'free' }).decision).toBe('allow')
  const configured = setupWith(
    { user: { allow: ['mcp__probe'] } },
    { servers, agents, values: { user: { agent: 'lead' }, local: { agent: 'nobody' } } },
  )
  expect(ask(configured, tool, {}).decision).toBe('absent')
})

test('a plugin can set the agent of the main conversation', () => {
  const plugins = [
    {
      name: 'broker',
      id: 'broker@m',
      folder: '/p',
      manifest: {},
      settings: { agent: 'lead' },
      file: '',
      line: 1,
      column: 1,
    },
  ]
  const own = agents.filter(({ name }) => name === 'broker:lead')
  expect(ask(setupWith({}, { plugins, agents: own }), 'Bash(ls)', {}).decision).toBe('absent')
  expect(ask(setupWith({}, { agents: own }), 'Bash(ls)', {}).decision).toBe('allow')
})

test('the main conversation can be restricted to some agent types', () => {
  const restricted = [agentOf('lead', { tools: ['Read', 'Agent(Plan, free)'] }), agentOf('free')]
  const limited = setupWith({}, { agents: restricted })
  expect(ask(limited, 'Agent(Explore)', { runAs: 'lead' }).decision).toBe('absent')
  expect(ask(limited, 'Agent(free)', { runAs: 'lead' }).decision).toBe('allow')
  expect(ask(limited, 'Agent(Explore)', { agent: 'lead' }).decision).toBe('allow')
})
