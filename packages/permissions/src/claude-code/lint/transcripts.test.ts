import { expect, test } from 'vitest'

import { agentFile, check, rulesFile } from '../../../test/claude-files.ts'
import { transcriptRules } from './transcripts.ts'

const [rule] = transcriptRules
const agent = agentFile('scanner')
const all = [
  'Read(//**/subagents/**)',
  'Read(//**/tasks/[ac-jln-rt-z]*.output)',
  'Read(//**/tool-results/**)',
]
const settings = 'project/.claude/settings.json'

test('missing rules are added to the rules of the project', () => {
  const { lines, fixes, repaired } = check(rule, { ...agent, ...rulesFile({ deny: ['Bash', all[1] ?? ''] }) })
  expect(lines).toHaveLength(1)
  expect(fixes).toEqual([`Add to \`permissions.deny\`: \`${all[0]}\`, \`${all[2]}\`.`])
  expect(JSON.parse(repaired[settings] ?? '')).toEqual({
    permissions: { deny: ['Bash', all[1], all[0], all[2]] },
  })
})

test.each<[string, object, unknown]>([
  ['without denies', { permissions: { allow: ['Bash'] } }, { permissions: { allow: ['Bash'], deny: all } }],
  ['without permissions', { model: 'opus' }, { model: 'opus', permissions: { deny: all } }],
])('adds rules to settings %s', (_case, before, after) => {
  const { repaired } = check(rule, { ...agent, [settings]: before })
  expect(JSON.parse(repaired[settings] ?? '')).toEqual(after)
})

test('a rule for subagents alone leaves the outputs of teammates open', () => {
  const ofSubagents = ['Read(//**/subagents/**)', 'Read(//**/tasks/a*.output)', 'Read(//**/tool-results/**)']
  const { fixes } = check(rule, { ...agent, ...rulesFile({ deny: ofSubagents }) })
  expect(fixes).toEqual([`Add to \`permissions.deny\`: \`${all[1]}\`.`])
})

test('without settings the finding is at the agent', () => {
  const { lines, repaired } = check(rule, agent)
  expect(lines[0]).toMatch(/^warning project\/\.claude\/agents\/scanner\.md:1:/)
  expect(repaired).toEqual({})
})

test.each<[string, Record<string, unknown>]>([
  ['the three rules', { ...agent, ...rulesFile({ deny: all }) }],
  ['rules of the user', { ...agent, 'home/.claude/settings.json': { permissions: { deny: all } } }],
  ['wider rules', { ...agent, ...rulesFile({ deny: ['Read(~/.claude/**)', 'Read(//tmp/**)'] }) }],
  ['no tool that can read', { ...agent, ...rulesFile({ deny: ['Read', 'Bash'] }) }],
  ['no agents', rulesFile({ deny: [] })],
])('not reported with %s', (_case, files) => {
  expect(check(rule, files).lines).toEqual([])
})
