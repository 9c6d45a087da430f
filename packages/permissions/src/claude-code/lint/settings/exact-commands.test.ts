import { expect, test } from 'vitest'

import { check, rulesFile } from '../../../../test/claude-files.ts'
import { exactCommandRules } from './exact-commands.ts'

const [rule] = exactCommandRules
const file = 'project/.claude/settings.json'

test.each<[string, Readonly<Record<string, readonly string[]>>, string]>([
  ['a prefix', { allow: ['Bash(npm:*)'], deny: ['Bash(npm publish)'] }, 'Bash(npm publish:*)'],
  ['all commands', { allow: ['Bash'], deny: ['Bash(rm)'] }, 'Bash(rm:*)'],
  ['a wildcard', { allow: ['Bash(git *)'], deny: ['Bash(git push --force)'] }, 'Bash(git push --force:*)'],
])('%s allows the longer command', (_case, permissions, meant) => {
  const { lines, fixes, repaired } = check(rule, rulesFile(permissions))
  expect(lines).toEqual([expect.stringContaining(`\`${permissions.allow?.[0]}\` (.claude/settings.json:`)])
  expect(fixes).toEqual([`Write \`${meant}\`.`])
  expect(JSON.parse(repaired[file] ?? '').permissions.deny).toEqual([meant])
})

test('ask rules are checked too', () => {
  const { lines } = check(rule, rulesFile({ allow: ['Bash(git:*)'], ask: ['Bash(git push)'] }))
  expect(lines).toEqual([expect.stringMatching(/^error .* asks about exactly this command/)])
})

test.each<[string, Readonly<Record<string, readonly string[]>>]>([
  ['nothing allows it', { deny: ['Bash(npm publish)'] }],
  ['another program is allowed', { allow: ['Bash(git:*)'], deny: ['Bash(npm publish)'] }],
  ['a prefix is denied', { allow: ['Bash(npm:*)'], deny: ['Bash(npm publish:*)'] }],
  ['another rule denies the rest', { allow: ['Bash'], deny: ['Bash(rm)', 'Bash(rm *)'] }],
  ['it is a line of several commands', { allow: ['Bash'], deny: ['Bash(a && b)'] }],
  ['it allows', { allow: ['Bash(npm:*)', 'Bash(npm publish)'] }],
])('not reported if %s', (_case, permissions) => {
  expect(check(rule, rulesFile(permissions)).lines).toEqual([])
})

test('many exact commands are compared only with rules that match more', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `Bash(a${index})`)
  const permissions = { allow: [...many, 'Bash(npm:*)'], deny: [...many, 'Bash(npm publish)'] }
  expect(check(rule, rulesFile(permissions)).fixes).toEqual(['Write `Bash(npm publish:*)`.'])
})

test('reports that there are too many rules to compare', () => {
  const allow = Array.from({ length: 20_000 }, (_, index) => `Bash(a${index}:*)`)
  const deny = Array.from({ length: 600 }, (_, index) => `Bash(b${index})`)
  expect(check(rule, rulesFile({ allow, deny })).lines).toEqual([
    expect.stringMatching(/^warning .* is not compared with the others, nor are \d+ more/),
  ])
  expect(check(rule, rulesFile({ allow, deny: deny.slice(0, 3) })).lines).toEqual([])
})
