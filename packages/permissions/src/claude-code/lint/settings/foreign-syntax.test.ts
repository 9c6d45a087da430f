import { describe, expect, test } from 'vitest'

import { check, rulesFile } from '../../../../test/claude-files.ts'
import { claudeCodeRules } from '../rules.ts'

const file = 'project/.claude/settings.json'

/** All findings about a deny rule, and the deny list after repair. */
function run(text: string) {
  const results = claudeCodeRules.map((rule) => {
    const { lines, repaired } = check(rule, rulesFile({ deny: [text] }))
    return { id: rule.id, lines, repaired }
  })
  const after = results.flatMap(({ repaired }) => repaired[file] ?? [])
  return {
    ids: results.flatMap(({ id, lines }) => lines.map((line) => `${line.split(' ')[0]} ${id}`)),
    denied: after.map((json) => JSON.parse(json).permissions.deny),
  }
}

describe('a deny rule in foreign syntax', () => {
  test.each<[string, string[] | undefined]>([
    ['Bash(command:sudo *)', ['Bash(sudo *)']],
    ['Bash(command: rm -rf:*)', ['Bash(rm -rf:*)']],
    ['Read(file_path:./.env)', ['Read(./.env)']],
    ['Write(file_path:**/.env*)', ['Edit(**/.env*)']],
    ['Edit(path:secrets/**)', ['Edit(secrets/**)']],
    ['Bash("rm -rf")', ['Bash(rm -rf)']],
    ["Read('./.env')", ['Read(./.env)']],
    ['Bash(rm:*), Bash(mv:*)', ['Bash(rm:*)', 'Bash(mv:*)']],
    ['Edit,WebFetch', ['Edit', 'WebFetch']],
    ['Bash(git commit|git push)', undefined],
    ['Read(./.env|./.npmrc)', undefined],
    ['Read(./.env, ./.npmrc)', undefined],
    ['Bash(rm, mv)', undefined],
    ['Bash(^rm)', undefined],
    ['Bash(/rm.*/)', undefined],
    ['Bash(rm.*$)', undefined],
  ])('%s is reported once and repaired completely', (text, denied) => {
    expect(run(text)).toEqual({
      ids: ['error foreign-syntax'],
      denied: denied === undefined ? [] : [denied],
    })
  })

  test.each([
    'Bash(command -v node)',
    'Bash(ls | wc -l)',
    "Bash(grep 'a|b' notes.txt)",
    'Bash(git commit -m "a, b")',
    'Bash(echo $HOME:*)',
    'Bash(python3.*)',
    'Bash(/usr/bin/env:*)',
    'Read(./a, b.txt)',
    'Read(./path:x)',
    'WebFetch(domain:example.com)',
  ])('%s is not reported', (text) => {
    expect(run(text).ids).not.toContain('error foreign-syntax')
  })
})
