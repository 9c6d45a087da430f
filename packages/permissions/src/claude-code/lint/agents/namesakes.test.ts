import { expect, test } from 'vitest'

import { check } from '../../../../test/claude-files.ts'
import { namesakeRules } from './namesakes.ts'

const [rule] = namesakeRules
const agent = (name: string, ...lines: string[]): string =>
  ['---', 'description: Works', `name: ${name}`, ...lines, '---', 'Work.', ''].join('\n')
const project = 'project/.claude/agents'

test.each<[string, Record<string, string>, string[]]>([
  [
    'different restrictions',
    { [`${project}/a.md`]: agent('x', 'tools: Read'), [`${project}/b.md`]: agent('x') },
    [`error ${project}/b.md:3`],
  ],
  [
    'the same restrictions',
    { [`${project}/a.md`]: agent('x', 'tools: Read'), [`${project}/b.md`]: agent('x', 'tools: Read') },
    [`warning ${project}/b.md:3`],
  ],
  [
    'in a subfolder',
    { [`${project}/one/agents/a.md`]: agent('x', 'tools: Read'), [`${project}/a.md`]: agent('x') },
    [`error ${project}/one/agents/a.md:3`],
  ],
  [
    'both in the user folder',
    { 'home/.claude/agents/a.md': agent('x'), 'home/.claude/agents/b/a.md': agent('x') },
    ['warning home/.claude/agents/b/a.md:3'],
  ],
  [
    'three agents',
    { [`${project}/a.md`]: agent('x'), [`${project}/b.md`]: agent('x'), [`${project}/c.md`]: agent('x') },
    [`warning ${project}/b.md:3`, `warning ${project}/c.md:3`],
  ],
  [
    'a project agent overrides one of the user',
    { [`${project}/a.md`]: agent('x'), 'home/.claude/agents/a.md': agent('x') },
    [],
  ],
  ['names that differ in case', { [`${project}/a.md`]: agent('x'), [`${project}/b.md`]: agent('X') }, []],
])('%s', (_case, files, found) => {
  expect(check(rule, files).lines.map((line) => line.split(': ')[0])).toEqual(found)
})
