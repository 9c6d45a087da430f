import { describe, expect, test } from 'vitest'

import { check, pluginFiles, rulesFile, serverFile, type ClaudeFiles } from '../../../../test/claude-files.ts'
import { skillHookRules } from './hooks.ts'
import { skillKeyRules } from './keys.ts'
import { skillNameRules } from './names.ts'
import { skillToolRules } from './tools.ts'
import { skillGrantRules } from './wide-tools.ts'

const [prefix, unknown] = skillToolRules
const file = 'project/.claude/skills/deploy/SKILL.md'
const head = (...lines: string[]): string =>
  ['---', 'description: d', ...lines, '---', 'Text.', ''].join('\n')
const skill = (...lines: string[]): ClaudeFiles => ({ [file]: head(...lines) })
const severities = (lines: readonly string[]): (string | undefined)[] =>
  lines.map((line) => line.split(' ')[0])

describe('skills that grant whole tools', () => {
  test.each<[string, string[]]>([
    ['allowed-tools: Bash', ['note']],
    ['allowed-tools: "Bash(*), Write, Edit(*)"', ['note', 'note', 'note']],
    ['allowed-tools: Bash(python3:*)', ['note']],
    ['allowed-tools: Bash(git status:*), Read, Edit(./docs/**), mcp__tracker', []],
    ['disallowed-tools: Bash', []],
    ['tools: Bash', []],
  ])('%s', (line, expected) => {
    expect(severities(check(skillGrantRules[0], skill(line)).lines)).toEqual(expected)
  })

  test.each<[string, ClaudeFiles, string[]]>([
    ['a rule lets the model run it', rulesFile({ allow: ['Skill'] }), ['warning']],
    ['only users run it', skill('allowed-tools: Bash', 'disable-model-invocation: true'), ['note']],
    ['a rule denies it', rulesFile({ deny: ['Skill(deploy)'] }), []],
    ['another skill overrides it', { 'home/.claude/skills/deploy/SKILL.md': head() }, []],
  ])('%s', (_case, files, expected) => {
    const checked = check(skillGrantRules[0], { ...skill('allowed-tools: Bash'), ...files })
    expect(severities(checked.lines)).toEqual(expected)
  })
})

describe('entries without effect', () => {
  const files = { ...pluginFiles('library', { docs: { command: 'docs' } }), ...serverFile('tracker') }

  test.each<[string, string[], string?]>([
    ['allowed-tools: mcp__docs__find', ['warning']],
    ['disallowed-tools: mcp__docs', ['error'], 'disallowed-tools: mcp__plugin_library_docs'],
    ['allowed-tools: mcp__docs__find, mcp__plugin_library_docs', []],
  ])('wrong prefix: %s', (line, expected, repairedTo) => {
    const { lines, repaired } = check(prefix, { ...files, ...skill(line) })
    expect(severities(lines)).toEqual(expected)
    expect(repaired[file]?.split('\n')[2]).toBe(repairedTo)
  })

  test.each<[string, string[], string?]>([
    ['allowed-tools: bash, Shell', ['warning', 'warning']],
    ['allowed-tools: "*, mcp__*, Write(./a)"', ['warning', 'warning', 'warning']],
    ['allowed-tools: mcp__tracker__get(x), mcp__wiki', ['warning', 'warning']],
    ['disallowed-tools: bash', ['error'], 'disallowed-tools: Bash'],
    ['allowed-tools: Bash(git *), Read, mcp__tracker__g*, mcp__tracker__get(*)', []],
    ['disallowed-tools: mcp__*', []],
  ])('unknown tool: %s', (line, expected, repairedTo) => {
    const { lines, repaired } = check(unknown, { ...files, ...skill(line) })
    expect(severities(lines)).toEqual(expected)
    expect(repaired[file]?.split('\n')[2]).toBe(repairedTo)
  })
})

test.each<[string, string[], string?]>([
  ['tools: Read', ['warning']],
  ['allowedTools: Read', ['warning']],
  ['disallowed_tools: Bash', ['error'], 'disallowed-tools: Bash'],
  ['disableModelInvocation: true', ['error'], 'disable-model-invocation: true'],
  ['disallowedTools: Bash\ndisallowed-tools: Read', ['error']],
  ['disallowedTools: Bash', []],
  // With both spellings, the one that works now would stop working.
  ['disallowed_tools: Read\ndisallowedTools: Bash', ['error']],
  ['disallowed_tools: Read\nDisallowed-Tools: Bash', ['error', 'error'], 'disallowed-tools: Read'],
  ['allowed-tools: Read\ndisable-model-invocation: true', []],
])('a key the client does not know: %j', (lines, expected, repairedTo) => {
  const checked = check(skillKeyRules[0], skill(...lines.split('\n')))
  expect(severities(checked.lines)).toEqual(expected)
  expect(checked.repaired[file]?.split('\n')[2]).toBe(repairedTo)
})

test.each<[string, ClaudeFiles, string[]]>([
  ['a skill of the user', { 'home/.claude/skills/deploy/SKILL.md': head() }, [`${file}:1`]],
  ['a command', { 'project/.claude/commands/deploy.md': head() }, ['project/.claude/commands/deploy.md:1']],
  ['another name', { 'project/.claude/commands/x/deploy.md': head() }, []],
  [
    'the same `name:` in another folder',
    { 'project/.claude/skills/other/SKILL.md': head('name: deploy') },
    [],
  ],
])('two of the same name: %s', (_case, files, expected) => {
  const { lines } = check(skillNameRules[0], { ...skill(), ...files })
  expect(lines.map((line) => line.split(' ')[1]?.replace(/:$/, ''))).toEqual(expected)
})

describe('hooks that never run', () => {
  const hooks = (event: string): string =>
    `hooks: { ${event}: [{ hooks: [{ type: command, command: 'true' }] }] }`
  const ofPlugin = (path: string): ClaudeFiles => ({
    ...pluginFiles('library', {}),
    [`home/market/library/${path}`]: head(hooks('PreToolUse')),
  })

  test.each<[string, ClaudeFiles, string[]]>([
    ['a guard in a forked skill', skill('context: fork', hooks('PreToolUse')), ['error']],
    ['another hook in a forked skill', skill('context: fork', hooks('Stop')), ['warning']],
    ['a command of a plugin', ofPlugin('commands/deploy.md'), ['error']],
    ['a skill in the commands folder of a plugin', ofPlugin('commands/deploy/SKILL.md'), []],
    ['a skill of a plugin', ofPlugin('skills/deploy/SKILL.md'), []],
    ['a skill', skill(hooks('PreToolUse')), []],
    ['a command of the project', { 'project/.claude/commands/deploy.md': head(hooks('PreToolUse')) }, []],
    ['no hooks', skill('context: fork'), []],
  ])('%s', (_case, files, expected) => {
    expect(severities(check(skillHookRules[0], files).lines)).toEqual(expected)
  })
})
