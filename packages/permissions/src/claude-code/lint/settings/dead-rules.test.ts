import { describe, expect, test } from 'vitest'

import { check, rulesFile } from '../../../../test/claude-files.ts'
import { deadRuleRules } from './dead-rules.ts'

type Lists = Readonly<Record<string, readonly string[]>>

/** Ids of the findings with their severity and the lists after repair. */
function run(permissions: Lists) {
  const files = rulesFile(permissions)
  return deadRuleRules.flatMap((rule) => {
    const { lines, repaired } = check(rule, files)
    const text = repaired['project/.claude/settings.json']
    const after = text === undefined ? undefined : JSON.parse(text).permissions
    return lines.map((line) => ({ id: rule.id, severity: line.split(' ')[0], after }))
  })
}

describe('a deny rule that never matches', () => {
  test.each<[string, string, string, string[] | undefined]>([
    ['a missing parenthesis', 'Bash(curl:*', 'malformed-rule', ['Bash(curl:*)']],
    ['an extra parenthesis', 'Bash(curl:*))', 'unmatchable-rule', ['Bash(curl:*)']],
    ['surrounding spaces', ' Bash', 'malformed-rule', ['Bash']],
    ['empty parentheses', 'Bash()', 'malformed-rule', undefined],
    ['an empty rule', '', 'malformed-rule', undefined],
    ['a malformed MCP rule', 'mcp__a__b(', 'malformed-rule', undefined],
    ['wrong case', 'bash', 'unknown-tool', ['Bash']],
    ['wrong case with content', 'read(./.env)', 'unknown-tool', ['Read(./.env)']],
    ['a typo', 'WebFetsh', 'unknown-tool', undefined],
    ['paths of Write', 'Write(./x)', 'path-rule-tool', ['Edit(./x)']],
    ['paths of MultiEdit', 'MultiEdit(x/**)', 'path-rule-tool', ['Edit(x/**)']],
    ['paths of Grep', 'Grep(x)', 'path-rule-tool', ['Read(x)']],
    [
      'an absolute path with one slash',
      'Read(/etc/shadow)',
      'path-rule-anchor',
      ['Read(/etc/shadow)', 'Read(//etc/shadow)'],
    ],
    ['a wildcard in a prefix', 'Bash(rm *x:*)', 'unmatchable-rule', ['Bash(rm *x*)']],
    ['spaces inside the parentheses', 'Bash( rm )', 'unmatchable-rule', ['Bash(rm)']],
    ['a Bash prefix in a path', 'Read(x:*)', 'unmatchable-rule', undefined],
    ['a path that starts with ..', 'Read(../secrets/**)', 'unmatchable-rule', undefined],
    ['a path that contains ..', 'Edit(src/../.env)', 'unmatchable-rule', undefined],
    ['a negated path', 'Read(!public/**)', 'unmatchable-rule', undefined],
    ['the project folder', 'Read(.)', 'unmatchable-rule', undefined],
    ['the home folder', 'Read(~)', 'unmatchable-rule', undefined],
    ['a variable', 'Read($HOME/.ssh/**)', 'unmatchable-rule', ['Read(~/.ssh/**)']],
    ['braces', 'Edit(src/{a,b}.ts)', 'unmatchable-rule', ['Edit(src/a.ts)', 'Edit(src/b.ts)']],
    ['a URL', 'WebFetch(https://example.com/x)', 'unmatchable-rule', ['WebFetch(domain:example.com)']],
    ['a host', 'WebFetch(example.com)', 'unmatchable-rule', ['WebFetch(domain:example.com)']],
  ])('%s', (_case, text, id, deny) => {
    expect(run({ deny: [text] })).toEqual([{ id, severity: 'error', after: deny && { deny } }])
  })
})

describe('an allow rule that never matches is a warning and is not repaired', () => {
  test.each<[string, string]>([
    ['Bash(npm test', 'malformed-rule'],
    ['bash', 'unknown-tool'],
    ['*', 'unknown-tool'],
    ['Web*', 'unknown-tool'],
    ['Write(docs/**)', 'path-rule-tool'],
    ['Read(/etc/hosts)', 'path-rule-anchor'],
    ['WebFetch(example.com)', 'unmatchable-rule'],
    ['Read(../docs/**)', 'unmatchable-rule'],
    ['Edit({a,b})', 'unmatchable-rule'],
  ])('%s', (text, id) => {
    expect(run({ allow: [text] })).toEqual([{ id, severity: 'warning', after: undefined }])
  })
})

test.each(['Teleporter', 'MultiEdit', 'LS'])(
  '%s may be a tool of a newer or older client: a note',
  (tool) => {
    expect(run({ deny: [tool] })).toEqual([{ id: 'unknown-tool', severity: 'note', after: undefined }])
  },
)

test.each([
  'Bash',
  'Bash(*)',
  'Bash(npm run *)',
  'Bash(git:*)',
  'Bash(echo \\(x\\))',
  'Read',
  'Write',
  'Read(./.env)',
  'Read(//etc/passwd)',
  'Read(~/.ssh/**)',
  'Read(/src/**)',
  'Edit(src/**)',
  'Read(...)',
  'Read(a..b)',
  'Read(src/[!a].ts)',
  'Read(src/{a}.ts)',
  'WebFetch(domain:example.com)',
  'WebSearch',
  'Task',
  'Agent(scanner)',
  'Skill(contextd)',
  'mcp__a__b',
  'mcp__a(*)',
  'mcp__*',
  '*',
])('deny %s is not reported by these rules', (text) => {
  expect(run({ deny: [text] })).toEqual([])
})

test.each(['Skill(contextd)', 'Agent(scanner)'])('ask %s never matches, but the bare name does', (text) => {
  expect(run({ ask: [text] })).toEqual([{ id: 'unmatchable-rule', severity: 'error', after: undefined }])
  expect(run({ ask: [text.replace(/\(.*/, '')] })).toEqual([])
})

test('a repair does not add a rule that is already in the list', () => {
  expect(run({ deny: ['Write(x)', 'Edit(x)'] })).toEqual([
    { id: 'path-rule-tool', severity: 'error', after: { deny: ['Edit(x)'] } },
  ])
})

/** Files of maximum size: a regular expression with backtracking would take hours. */
test.each([
  ['stars', `Bash(${'a*'.repeat(200_000)}b)`, []],
  ['stars in a prefix', `Bash(${'a*'.repeat(200_000)}:*)`, ['unmatchable-rule']],
  ['parentheses', `Bash(${')'.repeat(400_000)}x:*))`, ['unmatchable-rule']],
  ['unclosed braces', `Read({${','.repeat(400_000)})`, []],
  ['alternatives in braces', `Read(${'p'.repeat(200_000)}{${','.repeat(200_000)}})`, []],
])('checks a rule with many %s in linear time', (_, text, ids) => {
  expect(run({ deny: [text] }).map(({ id }) => id)).toEqual(ids)
})
