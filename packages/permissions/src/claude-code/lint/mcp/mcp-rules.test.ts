import { describe, expect, test } from 'vitest'

import { check, pluginFiles, rulesFile, serverFile } from '../../../../test/claude-files.ts'
import { mcpFormRules } from './mcp-rules.ts'

const named = (id: string) => mcpFormRules.find((rule) => rule.id === id)
const servers = serverFile('tracker', 'traffic', 'notes')
const severities = (lines: readonly string[]): (string | undefined)[] =>
  lines.map((line) => line.split(' ')[0])
const settings = 'project/.claude/settings.json'

describe('parentheses', () => {
  const rule = named('mcp-rule-parentheses')

  test.each<[string, Record<string, string[]>, string[], unknown]>([
    ['deny', { deny: ['mcp__tracker__x(*)'] }, ['error'], { deny: ['mcp__tracker__x'] }],
    ['deny of a server', { deny: ['mcp__tracker(*)'] }, ['error'], { deny: ['mcp__tracker'] }],
    [
      'deny of some arguments',
      { deny: ['mcp__tracker__x(key:1)'] },
      ['error'],
      { deny: ['mcp__tracker__x'] },
    ],
    ['ask', { ask: ['mcp__tracker__x()'] }, ['error'], { ask: ['mcp__tracker__x'] }],
    [
      'the corrected rule is already in the list',
      { deny: ['mcp__tracker', 'mcp__tracker(*)'] },
      ['error'],
      { deny: ['mcp__tracker'] },
    ],
    ['an allow rule, which is not repaired', { allow: ['mcp__tracker__x(*)'] }, ['warning'], undefined],
    ['rules for other tools', { deny: ['Bash(*)', 'Read(./x)'], allow: ['mcp__tracker__x'] }, [], undefined],
  ])('%s', (_case, rules, expected, repairedTo) => {
    const { lines, repaired } = check(rule, { ...servers, ...rulesFile(rules) })
    expect(severities(lines)).toEqual(expected)
    const text = repaired[settings]
    expect(text === undefined ? undefined : JSON.parse(text).permissions).toEqual(repairedTo)
  })
})

describe('a wildcard for servers', () => {
  const rule = named('mcp-rule-server-wildcard')

  test.each<[string, Record<string, string[]>, number, string?]>([
    ['all servers', { allow: ['mcp__*'] }, 1, '`mcp__tracker`, `mcp__traffic`, `mcp__notes`'],
    ['some servers', { allow: ['mcp__tra*'] }, 1, '`mcp__tracker`, `mcp__traffic`.'],
    ['one tool of any server', { allow: ['mcp__*__get'] }, 1, '`mcp__tracker__get`'],
    ['works in deny and ask', { deny: ['mcp__*'], ask: ['mcp__tra*'] }, 0],
    ['works after the server name', { allow: ['mcp__tracker__*', 'mcp__tracker__get_*'] }, 0],
  ])('%s', (_case, rules, count, fix) => {
    const { lines, fixes, repaired } = check(rule, { ...servers, ...rulesFile(rules) })
    expect(severities(lines)).toEqual(Array.from({ length: count }, () => 'warning'))
    if (fix !== undefined) expect(fixes[0]).toContain(fix)
    expect(repaired).toEqual({})
  })
})

describe('only one of the two forms of a server', () => {
  const rule = named('mcp-rule-both-forms')

  test.each<[string, Record<string, string[]>, unknown]>([
    ['the bare name', { allow: ['mcp__tracker'] }, { allow: ['mcp__tracker', 'mcp__tracker__*'] }],
    [
      'the wildcard',
      { deny: ['mcp__tracker__*', 'Bash'] },
      { deny: ['mcp__tracker__*', 'mcp__tracker', 'Bash'] },
    ],
    [
      'in several lists',
      { allow: ['mcp__tracker'], deny: ['mcp__tracker'] },
      { allow: ['mcp__tracker', 'mcp__tracker__*'], deny: ['mcp__tracker', 'mcp__tracker__*'] },
    ],
  ])('%s', (_case, rules, expected) => {
    const { lines, repaired } = check(rule, { ...servers, ...rulesFile(rules) })
    expect(severities(lines)).toEqual(['note'])
    expect(JSON.parse(repaired[settings] ?? '').permissions).toEqual(expected)
  })

  test.each<[string, Record<string, string[]>]>([
    ['both', { allow: ['mcp__tracker__*', 'mcp__tracker'] }],
    ['single tools', { allow: ['mcp__tracker__get', 'mcp__tracker__get_*'] }],
    ['an unknown server', { allow: ['mcp__wiki'] }],
    ['a wrong prefix', { allow: ['mcp__docs'] }],
  ])('not: %s', (_case, rules) => {
    const files = {
      ...servers,
      ...pluginFiles('library', { docs: { command: 'docs' } }),
      ...rulesFile(rules),
    }
    expect(check(rule, files).lines).toEqual([])
  })

  test('not for a server whose bare name the client splits differently', () => {
    expect(check(rule, { ...serverFile('a__b'), ...rulesFile({ allow: ['mcp__a__b__*'] }) }).lines).toEqual(
      [],
    )
  })
})
