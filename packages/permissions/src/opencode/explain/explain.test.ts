import { basename } from 'node:path'

import { expect, it } from 'vitest'

import { openCodeSetup, type OpenCodeFiles } from '../../../test/opencode-setup.ts'
import type { PermissionExplanation, Ground } from '../../findings/explanation.ts'
import { explainOpenCode } from './explain.ts'

const project = 'project/opencode.json'
const user = 'home/.config/opencode/opencode.json'
const server = { mcp: { db: { type: 'local', command: ['db'] } } }

const explained = (files: OpenCodeFiles, tool: string, agent?: string): PermissionExplanation =>
  explainOpenCode(openCodeSetup(files), { tool, ...(agent !== undefined && { agent }) })

const describeGround = ({ list, rule, file, line, source }: Ground): string =>
  `${list ?? '-'} ${rule} ${file === null ? source : `${basename(file)}:${line}`}`

it.each<[string, OpenCodeFiles, string, string | undefined, string, string]>([
  ['no rules', {}, 'bash(ls)', undefined, 'allow', 'allow default: * client'],
  ['a built-in guard', {}, 'read(.env)', undefined, 'ask', 'ask default: read(*.env) client'],
  ['a built-in agent', {}, 'write(a.txt)', 'plan', 'deny', 'deny default: edit client'],
  [
    'a pattern',
    { [project]: { permission: { bash: { '*': 'ask', 'git *': 'allow' } } } },
    'bash(git log)',
    undefined,
    'allow',
    'allow bash(git *) opencode.json:5',
  ],
  [
    'one part of a command',
    { [project]: { permission: { bash: { '*': 'allow', 'rm *': 'deny', 'ls*': 'ask' } } } },
    'bash(ls && rm x)',
    undefined,
    'deny',
    'deny bash(rm *) opencode.json:5',
  ],
  [
    'the folder before the file',
    { [project]: { permission: { read: 'deny', external_directory: { '~/*': 'ask' } } } },
    'external_directory(~/x)',
    undefined,
    'ask',
    'ask external_directory(~/*) opencode.json:5',
  ],
  [
    'a rule of an agent',
    { [project]: { permission: { bash: 'deny' }, agent: { x: { permission: { bash: 'allow' } } } } },
    'bash(ls)',
    'x',
    'allow',
    'allow bash opencode.json:8',
  ],
  ['a tool of a server', { [project]: server }, 'db_query', undefined, 'allow', 'allow default: * client'],
  ['an unknown tool', { [project]: server }, 'other_query', undefined, 'absent', '- no such tool server'],
  ['an unknown agent', {}, 'bash', 'nobody', 'absent', '- no such agent agent'],
  ['starting an agent', {}, 'task(explore)', undefined, 'allow', 'allow default: * client'],
  ['starting an unknown agent', {}, 'task(nobody)', undefined, 'absent', '- no such agent agent'],
  ['a subagent that starts an agent', {}, 'task(explore)', 'general', 'deny', 'deny default: task client'],
  [
    'a subagent that starts an agent, although allowed',
    { [project]: { permission: { task: 'allow' } } },
    'task(explore)',
    'general',
    'deny',
    '- subagent_depth client',
  ],
  [
    'a subagent that starts an agent, with subagent_depth 2',
    { [project]: { permission: { task: 'allow' }, subagent_depth: 2 } },
    'task(explore)',
    'general',
    'allow',
    'allow task opencode.json:3',
  ],
  [
    'a tool for primary agents only',
    { [project]: { experimental: { primary_tools: ['grep'] } } },
    'grep(x)',
    'general',
    'deny',
    'deny default: grep client',
  ],
  ['nothing to ask about', {}, 'bash(cd .)', undefined, 'allow', '- default: nothing to ask about client'],
])('%s', (_, files, tool, agent, decision, by) => {
  const answer = explained(files, tool, agent)
  expect([answer.decision, describeGround(answer.decidedBy)]).toEqual([decision, by])
  expect(answer.tool).toBe(tool)
})

it('lists overridden rules, highest precedence first', () => {
  const { lost } = explained(
    {
      [user]: { permission: { bash: { '*': 'deny' }, edit: 'deny' } },
      [project]: { permission: { bash: { 'git *': 'ask', 'git log*': 'allow' }, edit: 'ask' } },
    },
    'bash(git log)',
  )
  expect(lost.map(describeGround)).toEqual(['ask bash(git *) opencode.json:4', 'deny bash opencode.json:4'])
})

it('lists replaced rules with the place of their replacement', () => {
  const files = {
    [user]: { permission: { bash: 'deny' } },
    [project]: { permission: { bash: { 'git *': 'allow' } } },
  }
  const { decision, lost } = explained(files, 'bash(rm x)')
  expect(decision).toBe('allow')
  expect(lost.map(describeGround)).toEqual(['deny bash opencode.json:3'])
  expect(lost[0]?.why).toMatch(/replaces it/)
})

it('lists rules for some calls if the question has no argument', () => {
  const { decision, partial } = explained(
    { [project]: { permission: { bash: { 'x *': 'deny', '*': 'ask', 'git *': 'allow' } } } },
    'bash',
  )
  expect([decision, ...partial.map(describeGround)]).toEqual(['ask', 'allow bash(git *) opencode.json:6'])
})

it.each([
  [{ bash: 'deny' }, false],
  [{ bash: { '*': 'deny' } }, false],
  [{ bash: { '*': 'deny', 'git *': 'deny' } }, true],
  [{ bash: { '**': 'deny' } }, true],
])('%j: tool is listed: %s', (permission, isListed) => {
  expect(explained({ [project]: { permission } }, 'bash(ls)')).toMatchObject({ decision: 'deny', isListed })
})
