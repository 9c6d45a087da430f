import { describe, expect, test } from 'vitest'

import { check, rulesFile } from '../../../../test/claude-files.ts'
import { deadRuleRules } from './dead-rules.ts'

type Lists = Readonly<Record<string, readonly string[]>>

/** Severities by the id of the rule that says so, and the lists after its repairs. */
function run(permissions: Lists) {
  const files = rulesFile(permissions)
  const said = deadRuleRules.flatMap((rule) => {
    const { lines, repaired } = check(rule, files)
    const text = repaired['project/.claude/settings.json']
    const after = text === undefined ? undefined : JSON.parse(text).permissions
    return lines.map((line) => ({ id: rule.id, severity: line.split(' ')[0], after }))
  })
  return said
}

describe('a deny rule that can never be met', () => {
  test.each<[string, string, string, string[] | undefined]>([
    ['not closed', 'Bash(curl:*', 'malformed-rule', ['Bash(curl:*)']],
    ['closed twice', 'Bash(curl:*))', 'unmatchable-rule', ['Bash(curl:*)']],
    ['blanks around', ' Bash', 'malformed-rule', ['Bash']],
    ['nothing inside', 'Bash()', 'malformed-rule', undefined],
    ['nothing at all', '', 'malformed-rule', undefined],
    ['an MCP rule that is none', 'mcp__a__b(', 'malformed-rule', undefined],
    ['wrong case', 'bash', 'unknown-tool', ['Bash']],
    ['wrong case with content', 'read(./.env)', 'unknown-tool', ['Read(./.env)']],
    ['a slip', 'WebFetsh', 'unknown-tool', undefined],
    ['paths of Write', 'Write(./x)', 'path-rule-tool', ['Edit(./x)']],
    ['paths of MultiEdit', 'MultiEdit(x/**)', 'path-rule-tool', ['Edit(x/**)']],
    ['paths of Grep', 'Grep(x)', 'path-rule-tool', ['Read(x)']],
    ['one slash', 'Read(/etc/shadow)', 'path-rule-anchor', ['Read(/etc/shadow)', 'Read(//etc/shadow)']],
    ['a star before the end of a prefix', 'Bash(rm *x:*)', 'unmatchable-rule', ['Bash(rm *x*)']],
    ['blanks inside', 'Bash( rm )', 'unmatchable-rule', ['Bash(rm)']],
    ['a prefix of a path', 'Read(x:*)', 'unmatchable-rule', undefined],
    ['a path that goes up', 'Read(../secrets/**)', 'unmatchable-rule', undefined],
    ['a path that goes up on its way', 'Edit(src/../.env)', 'unmatchable-rule', undefined],
    ['an exception', 'Read(!public/**)', 'unmatchable-rule', undefined],
    ['the project', 'Read(.)', 'unmatchable-rule', undefined],
    ['the home folder', 'Read(~)', 'unmatchable-rule', undefined],
    ['a variable', 'Read($HOME/.ssh/**)', 'unmatchable-rule', ['Read(~/.ssh/**)']],
    ['braces', 'Edit(src/{a,b}.ts)', 'unmatchable-rule', ['Edit(src/a.ts)', 'Edit(src/b.ts)']],
    ['an address', 'WebFetch(https://example.com/x)', 'unmatchable-rule', ['WebFetch(domain:example.com)']],
    ['a host', 'WebFetch(example.com)', 'unmatchable-rule', ['WebFetch(domain:example.com)']],
  ])('%s', (_case, text, id, deny) => {
    expect(run({ deny: [text] })).toEqual([{ id, severity: 'error', after: deny && { deny } }])
  })
})

describe('an allow rule that can never be met is no danger, and is never made to work', () => {
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
  '%s may be a tool of a newer client, or of an older one',
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
])('nothing is wrong with denying %s, or others say it', (text) => {
  expect(run({ deny: [text] })).toEqual([])
})

test.each(['Skill(contextd)', 'Agent(scanner)'])('nobody is asked by %s, but by the bare name', (text) => {
  expect(run({ ask: [text] })).toEqual([{ id: 'unmatchable-rule', severity: 'error', after: undefined }])
  expect(run({ ask: [text.replace(/\(.*/, '')] })).toEqual([])
})

test('one that is in the list already is not written twice', () => {
  expect(run({ deny: ['Write(x)', 'Edit(x)'] })).toEqual([
    { id: 'path-rule-tool', severity: 'error', after: { deny: ['Edit(x)'] } },
  ])
})

/** As large as a file may be; an expression that begins again at each character would take hours. */
test.each([
  ['stars', `Bash(${'a*'.repeat(200_000)}b)`, []],
  ['stars before the end', `Bash(${'a*'.repeat(200_000)}:*)`, ['unmatchable-rule']],
  ['parentheses', `Bash(${')'.repeat(400_000)}x:*))`, ['unmatchable-rule']],
  ['braces that stay open', `Read({${','.repeat(400_000)})`, []],
  ['braces with many choices', `Read(${'p'.repeat(200_000)}{${','.repeat(200_000)}})`, []],
])('takes no time over a rule of many %s', (_, text, ids) => {
  expect(run({ deny: [text] }).map(({ id }) => id)).toEqual(ids)
})
