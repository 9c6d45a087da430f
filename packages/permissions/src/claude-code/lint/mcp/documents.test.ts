import { expect, test } from 'vitest'

import { agentFile, check, pluginFiles, type ClaudeFiles } from '../../../../test/claude-files.ts'
import { documentRules } from './documents.ts'

const [documentPrefix] = documentRules
const library = pluginFiles('library', { docs: { command: 'docs' } })

test.each<[string, ClaudeFiles, string[], string?]>([
  [
    'CLAUDE.md',
    { 'project/CLAUDE.md': 'Call `mcp__docs__find`.' },
    ['warning'],
    'Call `mcp__plugin_library_docs__find`.',
  ],
  [
    'every occurrence',
    { 'project/AGENTS.md': 'mcp__docs__a, mcp__docs__*\nmcp__docs__' },
    ['warning'],
    'mcp__plugin_library_docs__a, mcp__plugin_library_docs__*\nmcp__plugin_library_docs__',
  ],
  [
    'a skill',
    { 'project/.claude/skills/find/SKILL.md': 'mcp__docs__find' },
    ['warning'],
    'mcp__plugin_library_docs__find',
  ],
  ['a document for humans', { 'project/docs/setup.md': 'Allow mcp__docs__find.' }, ['note']],
  ['both forms', { 'project/CLAUDE.md': 'mcp__docs__find or mcp__plugin_library_docs__find' }, []],
  ['the correct name', { 'project/CLAUDE.md': 'mcp__plugin_library_docs__find' }, []],
  ['an unknown server', { 'project/CLAUDE.md': 'mcp__wiki__find' }, []],
  ['part of a word', { 'project/CLAUDE.md': 'x_mcp__docs__find' }, []],
])('%s', (_case, documents, severities, repairedTo) => {
  const { lines, repaired } = check(documentPrefix, { ...library, ...documents })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(severities)
  expect(Object.values(repaired)[0]).toBe(repairedTo)
})

test.each([
  'project/.claude/skills/find/SKILL.md',
  'project/.claude/commands/find.md',
  'project/app/.claude/agents/find.md',
])('in %s only the body is checked: its frontmatter grants tools', (name) => {
  const head = '---\ndescription: finds\nallowed-tools: mcp__docs__find\n---\n'
  expect(check(documentPrefix, { ...library, [name]: head }).lines).toEqual([])
  const { repaired } = check(documentPrefix, { ...library, [name]: `${head}Call mcp__docs__find.\n` })
  expect(Object.values(repaired)).toEqual([`${head}Call mcp__plugin_library_docs__find.\n`])
})

test("in an agent's file only the body is checked: its lists have their own rule", () => {
  const [[name, text]] = Object.entries(agentFile('reader', 'tools: mcp__docs__find')) as [[string, string]]
  expect(check(documentPrefix, { ...library, [name]: text }).lines).toEqual([])
  const { lines } = check(documentPrefix, { ...library, [name]: `${text}Call mcp__docs__find.\n` })
  expect(lines).toEqual([expect.stringMatching(/reader\.md:8: /)])
})

test('a note if there are too many documents to search', () => {
  const documents = (count: number): ClaudeFiles =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`project/docs/${index}.md`, '']))
  expect(check(documentPrefix, documents(2000)).lines).toEqual([])
  const { lines } = check(documentPrefix, documents(2001))
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['note'])
})
