import { describe, expect, test } from 'vitest'

import { parseRule, ruleEffect, type McpForm } from './rule.ts'
import type { RuleEntry } from '../setup/setup.ts'

describe('parsing a rule', () => {
  test.each([
    ['Bash', { tool: 'Bash', hasParentheses: false }],
    ['Bash(*)', { tool: 'Bash', hasParentheses: true }],
    ['Bash()', { tool: 'Bash', hasParentheses: true, content: '' }],
    ['Bash(git *)', { tool: 'Bash', hasParentheses: true, content: 'git *' }],
    ['Bash(echo \\(x\\))', { tool: 'Bash', hasParentheses: true, content: 'echo (x)' }],
    ['Bash((ls))', { tool: 'Bash', hasParentheses: true, content: '(ls)' }],
    ['Read(//**/tasks/*.output)', { tool: 'Read', hasParentheses: true, content: '//**/tasks/*.output' }],
  ])('%s', (text, rule) => {
    expect(parseRule(text)).toEqual(rule)
  })

  test.each(['', ' Bash', 'Bash(x) ', 'Bash(x', 'Bash)', '(x)'])('%j is not a rule', (text) => {
    expect(parseRule(text)).toHaveProperty('problem')
  })

  test.each<[string, McpForm | undefined]>([
    ['mcp__ctx__load', 'tool'],
    ['mcp__ctx', 'server'],
    ['mcp__ctx__*', 'all-tools'],
    ['mcp__ctx__**', 'all-tools'],
    ['mcp__ctx__load_*', 'some-tools'],
    ['mcp__ctx__*_all', 'some-tools'],
    ['mcp__*', 'server-wildcard'],
    ['mcp__c*__load', 'server-wildcard'],
    ['mcp__plugin_broker_*', 'server-wildcard'],
    ['mcp__ctx(*)', 'server'],
    ['plugin:broker:ctx', undefined],
    ['*', undefined],
  ])('%s has the form %s', (text, mcp) => {
    const rule = parseRule(text)
    expect('problem' in rule ? 'none' : rule.mcp).toBe(mcp)
  })
})

describe('where a rule has an effect', () => {
  type Where = Pick<RuleEntry, 'list'> & { readonly level: 'user' | 'cli' }
  const everywhere: readonly Where[] = [
    { list: 'allow', level: 'user' },
    { list: 'ask', level: 'user' },
    { list: 'deny', level: 'user' },
    { list: 'allow', level: 'cli' },
    { list: 'deny', level: 'cli' },
  ]
  const works = (text: string): string[] =>
    everywhere
      .filter((where) => ruleEffect({ ...where, text }).works)
      .map(({ list, level }) => (level === 'cli' ? `cli ${list}` : list))
  const all = ['allow', 'ask', 'deny', 'cli allow', 'cli deny']

  test.each([
    ['mcp__ctx', all],
    ['mcp__ctx__*', all],
    ['mcp__ctx__*_all', all],
    ['mcp__ctx__load', all],
    ['mcp__*', ['ask', 'deny', 'cli deny']],
    ['mcp__c*__load', ['ask', 'deny', 'cli deny']],
    ['*', ['ask', 'deny', 'cli deny']],
    ['Bas*', ['ask', 'deny', 'cli deny']],
    ['mcp__ctx(*)', ['cli allow', 'cli deny']],
    ['mcp__ctx__load(*)', ['cli allow', 'cli deny']],
    ['mcp__ctx__load()', ['cli allow', 'cli deny']],
    ['mcp__ctx__load(key:x)', []],
    ['mcp__ctx__load(', []],
    ['Bash', all],
    ['Bash(*)', all],
    ['Bash()', []],
    ['Bash(:*)', []],
    ['Edit(./x)', all],
    ['Write', all],
    ['Write(./x)', []],
    ['NotebookEdit(./x)', []],
    ['Grep(./x)', []],
    ['WebFetch(domain:example.com)', all],
    ['WebFetch(example.com)', []],
    ['Agent(scan)', ['allow', 'deny', 'cli allow', 'cli deny']],
  ])('%s', (text, lists) => {
    expect(works(text)).toEqual(lists)
  })
})
