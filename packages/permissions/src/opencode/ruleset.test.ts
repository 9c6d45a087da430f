import { expect, it } from 'vitest'

import { openCodeSetup, type OpenCodeFiles } from '../../test/opencode-setup.ts'
import { decidingRule, decideAny, isStatement, rulesetsOf, type Rulesets } from './ruleset.ts'

const project = 'project/opencode.json'
const user = 'home/.config/opencode/opencode.json'

function rulesets(files: OpenCodeFiles): Rulesets {
  return rulesetsOf(openCodeSetup(files))
}

function written({ main, agents }: Rulesets, agent?: string): string[] {
  const { rules } = agent === undefined ? main : agents.get(agent)!
  return rules
    .flat()
    .filter(isStatement)
    .map(({ tool, pattern, action }) => `${tool} ${pattern} ${action}`)
}

it.each<[string, OpenCodeFiles, string[]]>([
  ['one word for everything', { [project]: { permission: 'deny' } }, ['* * deny']],
  [
    'patterns',
    { [project]: { permission: { bash: { '*': 'ask', 'git *': 'allow' }, edit: 'deny' } } },
    ['bash * ask', 'bash git * allow', 'edit * deny'],
  ],
  [
    'a later file, keeping the position of the earlier rule',
    { [user]: { permission: { bash: 'allow', '*': 'ask' } }, [project]: { permission: { bash: 'deny' } } },
    ['bash * deny', '* * ask'],
  ],
  [
    'new rules at the end',
    { [user]: { permission: { bash: 'deny' } }, [project]: { permission: { '*': 'allow' } } },
    ['bash * deny', '* * allow'],
  ],
  [
    'patterns that replace a word',
    {
      [user]: { permission: { bash: 'deny' } },
      [project]: { permission: { bash: { 'git *': 'allow' } } },
    },
    ['bash git * allow'],
  ],
  [
    'patterns of two files',
    {
      [user]: { permission: { bash: { '*': 'deny' } } },
      [project]: { permission: { bash: { 'git *': 'allow' } } },
    },
    ['bash * deny', 'bash git * allow'],
  ],
  [
    "an administrator's rule, keeping the position of the project's",
    {
      [project]: { permission: { bash: 'allow', '*': 'allow' } },
      'managed/opencode.json': { permission: { bash: 'deny' } },
    },
    ['bash * deny', '* * allow'],
  ],
  [
    'the older key before the newer one',
    { [project]: { permission: { '*': 'ask' }, tools: { bash: false, write: false, glob: true } } },
    ['bash * deny', 'edit * deny', 'glob * allow', '* * ask'],
  ],
  ['nothing from invalid values', { [project]: { permission: { bash: 'never', edit: 5, read: null } } }, []],
])('merges %s', (_, files, rules) => {
  expect(written(rulesets(files))).toEqual(rules)
})

it('puts rules of an agent, from all its files, after the shared ones', () => {
  const made = rulesets({
    [project]: {
      permission: { bash: 'deny' },
      agent: {
        x: { permission: { bash: 'allow', edit: 'allow' }, mode: 'subagent' },
        off: { disable: true },
      },
      mode: { y: { tools: { edit: false } } },
    },
    'project/.opencode/agent/x.md': '---\npermission:\n  "*": allow\n  bash: deny\n---\n',
  })
  expect(written(made, 'x')).toEqual(['bash * deny', 'bash * deny', 'edit * allow', '* * allow'])
  expect(written(made, 'y')).toEqual(['bash * deny', 'edit * deny'])
  expect(made.agents.has('off')).toBe(false)
  expect(made.main.name).toBe('build')
})

it('uses the configured main agent', () => {
  const files = { [project]: { default_agent: 'lead', agent: { lead: { permission: 'ask' } } } }
  expect(rulesets(files).main.name).toBe('lead')
  expect(rulesets({ [project]: { default_agent: 'nobody' } }).main.name).toBe('build')
  const off = (...names: string[]): OpenCodeFiles => ({
    [project]: { agent: Object.fromEntries(names.map((name) => [name, { disable: true }])) },
  })
  expect(rulesets(off('build')).main.name).toBe('plan')
  expect(rulesets(off('build', 'plan')).main.name).toBe('build')
})

it('lets `mode` override `agent`', () => {
  const made = rulesets({
    [user]: { mode: { x: { permission: { bash: 'deny' } } } },
    [project]: { agent: { x: { permission: { bash: 'allow' } } } },
  })
  expect(written(made, 'x')).toEqual(['bash * deny'])
  expect(made.agents.get('x')?.mode).toBe('primary')
})

it("expands the user's home in patterns", () => {
  const made = rulesets({
    [project]: { permission: { external_directory: { '~/a/*': 'deny', '$HOME/b/*': 'deny', '~c': 'deny' } } },
  })
  expect(written(made).map((rule) => rule.replace(/\/\S*\/home\//, 'HOME/'))).toEqual([
    'external_directory HOME/a/* deny',
    'external_directory HOME/b/* deny',
    'external_directory ~c deny',
  ])
})

it.each([
  ['build', 'read', 'a.ts', 'allow'],
  ['build', 'read', 'deep/.env', 'ask'],
  ['build', 'read', '.env.example', 'allow'],
  ['build', 'external_directory', '/etc/*', 'ask'],
  ['plan', 'edit', 'a.ts', 'deny'],
  ['plan', 'edit', '.opencode/plans/one.md', 'allow'],
  ['explore', 'edit', 'a.ts', 'deny'],
  ['explore', 'bash', 'ls', 'allow'],
  ['general', 'todowrite', '*', 'deny'],
])('the agent %s and %s %s without any file: %s', (agent, tool, argument, action) => {
  expect(decidingRule(rulesets({}).agents.get(agent)!.rules, tool, argument)?.action).toBe(action)
})

it('decides calls without an argument by the rules for any argument', () => {
  const { main } = rulesets({ [project]: { permission: { bash: { '*': 'deny', 'git *': 'allow' } } } })
  expect(decideAny(main.rules, 'bash')?.action).toBe('deny')
  expect(decideAny(main.rules, 'glob')?.action).toBe('allow')
})

it('lists replaced rules', () => {
  const { shared } = rulesets({
    [user]: { permission: { bash: 'deny' } },
    [project]: { permission: { bash: { 'git *': 'allow', 'ls *': 'allow' } } },
  })
  expect(shared.replaced).toMatchObject([
    { statement: { tool: 'bash', level: 'user' }, by: [{ pattern: 'git *' }, { pattern: 'ls *' }] },
  ])
})
