import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'
import type { PermissionExplanation } from '../../findings/explanation.ts'
import { explain } from './explain.ts'
import type { PermissionQuestion } from './question.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
  folders.trust()
})
afterEach(() => folders.remove())

const head = (...lines: string[]): string =>
  ['---', 'description: d', ...lines, '---', 'Text.', ''].join('\n')
const skill = (name: string, ...lines: string[]): Record<string, string> => ({
  [`project/.claude/skills/${name}/SKILL.md`]: head(...lines),
})
const settings = (value: object): Record<string, object> => ({ 'home/.claude/settings.json': value })

function ask(
  tool: string,
  files: Readonly<Record<string, string | object>>,
  more: Partial<PermissionQuestion> = {},
): PermissionExplanation {
  folders.write(files)
  return explain(folders.read(), { tool, cliAllow: [], cliDeny: [], ...more })
}

/** The decision, what decided, and where. */
function short({ decision, decidedBy: { rule, file, line, column } }: PermissionExplanation): string {
  return `${decision} ${rule}${file === null ? '' : ` ${folders.short(file)}:${line}:${column}`}`
}

const file = 'project/.claude/skills/deploy/SKILL.md'

describe('running a skill', () => {
  test.each<[string, string[], string]>([
    ['without special properties', [], 'allow default: asks nobody'],
    ['that allows tools', ['allowed-tools: Read, Bash'], `ask allowed-tools ${file}:3:16`],
    ['that allows no tools', ['allowed-tools:'], 'allow default: asks nobody'],
    ['that forbids tools', ['disallowedTools: Bash'], `ask disallowed-tools ${file}:3:18`],
    [
      'that has hooks',
      ['hooks: { Stop: [{ hooks: [{ type: command, command: x }] }] }'],
      `ask hooks ${file}:3:1`,
    ],
    [
      'whose hooks cannot be loaded',
      ['hooks: { PreToolUse: [{ hooks: [{ type: command }] }] }'],
      'allow default: asks nobody',
    ],
    [
      'with a non-guarding hook that cannot be loaded',
      ['hooks: { Stop: [{ hooks: [{ type: command }] }] }'],
      'ask hooks project/.claude/skills/deploy/SKILL.md:3:1',
    ],
    [
      'that only users can run',
      ['allowed-tools: Bash', 'disable-model-invocation: yes'],
      `absent disable-model-invocation ${file}:4:1`,
    ],
    ['for some files', ['paths: "*.rs"'], `absent paths ${file}:3:1`],
    ['for all files', ['paths: ["**"]'], 'allow default: asks nobody'],
  ])('%s', (_what, lines, expected) => {
    expect(short(ask('Skill(deploy)', skill('deploy', ...lines)))).toBe(expected)
  })

  test.each<[string, string]>([
    ['Skill(/deploy)', 'ask'],
    ['Skill(release)', 'ask'],
    ['Skill(Deploy)', 'absent'],
    ['Skill(simplify)', 'allow'],
    ['Skill(update-config)', 'ask'],
    ['Skill(verify)', 'absent'],
  ])('%s is %s', (tool, decision) => {
    expect(ask(tool, skill('deploy', 'name: release', 'allowed-tools: Bash')).decision).toBe(decision)
  })

  test('an unknown name comes with a suggestion', () => {
    const result = ask('Skill(deplyo)', skill('deploy'))
    expect(result).toMatchObject({ decision: 'absent', isListed: false })
    expect(result.decidedBy.why).toBe('The client has no skill with this name. The closest name is deploy.')
  })

  test('the skills of a missing plugin are unknown', () => {
    const files = settings({ enabledPlugins: { 'away@market': true } })
    expect(ask('Skill(away:x)', files).decision).toBe('allow')
    expect(ask('Skill(other:x)', files).decision).toBe('absent')
  })

  test.each<[object, string]>([
    [{ skillOverrides: { deploy: 'off' } }, 'absent'],
    [{ skillOverrides: { deploy: 'user-invocable-only' } }, 'absent'],
    [{ skillOverrides: { deploy: 'name-only' } }, 'ask'],
    [{ skillOverrides: { release: 'off' } }, 'ask'],
    [{ permissions: { allow: ['Skill(deploy)'] } }, 'allow'],
    [{ permissions: { allow: ['Skill(/deploy)'] } }, 'allow'],
    [{ permissions: { allow: ['Skill(dep *)'] } }, 'allow'],
    [{ permissions: { allow: ['Skill(dep*)'] } }, 'ask'],
    // An alias cannot allow the skill, but it can deny it.
    [{ permissions: { allow: ['Skill(release)'] } }, 'ask'],
    [{ permissions: { deny: ['Skill(release)'] } }, 'deny'],
    [{ permissions: { deny: ['Skill(rel:*)'] } }, 'deny'],
    [{ permissions: { defaultMode: 'dontAsk' } }, 'deny'],
  ])('with %j it is %s', (value, decision) => {
    const files = { ...skill('deploy', 'name: release', 'allowed-tools: Bash'), ...settings(value) }
    expect(ask('Skill(deploy)', files).decision).toBe(decision)
  })

  test('bundled skills can be disabled', () => {
    expect(ask('Skill(simplify)', settings({ disableBundledSkills: true })).decision).toBe('absent')
    expect(ask('Skill(plugin-authoring)', {}).decision).toBe('allow')
    expect(ask('Skill(deploy)', skill('deploy')).decision).toBe('allow')
  })

  test('without a skill, lists the skills that prompt', () => {
    const files = {
      ...skill('deploy', 'allowed-tools: Bash'),
      ...skill('calm'),
      ...skill('off', 'paths: a', 'hooks: {}'),
    }
    const { decision, partial } = ask('Skill', files)
    expect([decision, partial.map(({ why }) => why)]).toEqual([
      'allow',
      ['deploy: The client asks before a skill that allows tools.'],
    ])
  })
})

describe('a grant of a skill', () => {
  const grants = skill('deploy', 'allowed-tools: Bash(touch:*), Edit(./docs/**)')

  test.each([
    ['Bash(touch a)', 'allow'],
    ['Bash(mkdir a)', 'ask'],
    ['Write(./docs/a)', 'allow'],
    ['Write(./a)', 'ask'],
  ])('once it runs, %s is %s', (tool, decision) => {
    expect(ask(tool, grants).decision).toBe('ask')
    expect(ask(tool, grants, { skill: 'deploy' }).decision).toBe(decision)
  })

  test('is reported if the client would ask', () => {
    const { granted } = ask('Bash(touch a)', { ...grants, ...skill('other', 'allowed-tools: Bash(mkdir:*)') })
    expect(granted).toEqual([
      {
        file: folders.path + '/' + file,
        line: 3,
        column: 16,
        rule: 'Bash(touch:*) of deploy',
        list: 'allow',
        source: 'skill',
        why: 'Allows it once deploy runs.',
      },
    ])
  })

  test('is reported with the entry that allows the call, not the first for the tool', () => {
    const files = skill('deploy', 'allowed-tools: Bash(mkdir:*), Bash(touch:*)')
    expect(ask('Bash(touch a)', files).granted).toMatchObject([
      { column: 31, rule: 'Bash(touch:*) of deploy' },
    ])
    expect(ask('Bash(mkdir a)', files).granted).toMatchObject([
      { column: 16, rule: 'Bash(mkdir:*) of deploy' },
    ])
  })

  test('is reported for a command that reads allowed files', () => {
    const files = skill('deploy', 'allowed-tools: Read(//etc/**)')
    expect(ask('Bash(cat /etc/hosts)', files).granted).toMatchObject([{ rule: 'Read(//etc/**) of deploy' }])
    expect(ask('Bash(cat /opt/hosts)', files).granted).toEqual([])
  })

  test('is combined with allow rules, regardless of rules for other commands', () => {
    const rules = { allow: ['Bash(mkdir:*)'], deny: ['Bash(rm:*)'], ask: ['Bash(ln:*)'] }
    const files = { ...grants, ...settings({ permissions: rules }) }
    expect(ask('Bash(mkdir a && touch a)', files).granted).toMatchObject([
      { rule: 'Bash(touch:*) of deploy' },
    ])
    expect(ask('Bash(mkdir a && touch a)', { ...grants, ...settings({}) }).granted).toEqual([])
    expect(ask('Bash(ln a b && touch a)', files).granted).toEqual([])
  })

  test.each([
    [['disable-model-invocation: true'], 'Allows it once deploy runs, which only a user starts as /deploy.'],
    [['context: fork'], 'Allows it once deploy runs, for the agent it runs in.'],
  ])('is reported with its conditions: %j', (lines, why) => {
    const { granted } = ask('Bash(ls > a)', skill('deploy', 'allowed-tools: Bash', ...lines))
    expect(granted.map((ground) => ground.why)).toEqual([why])
  })

  test('is not reported if rules take precedence, or nothing prompts', () => {
    const rules = settings({ permissions: { ask: ['Bash(touch:*)'], allow: ['Bash(mkdir:*)'] } })
    expect(ask('Bash(touch a)', { ...grants, ...rules }).granted).toEqual([])
    expect(ask('Bash(mkdir a)', grants).granted).toEqual([])
    expect(ask('Bash(touch a)', settings({})).granted).toHaveLength(1)
  })

  test('can also deny: the tool is still listed', () => {
    const result = ask('Write(./a)', skill('guard', 'disallowed-tools: Write'), {
      skill: 'guard',
      mode: 'acceptEdits',
    })
    expect(result).toMatchObject({
      decision: 'deny',
      isListed: true,
      decidedBy: { source: 'skill', line: 3 },
    })
    // An MCP tool is not.
    const files = {
      ...skill('guard', 'disallowed-tools: mcp__a__act'),
      'home/.claude.json': { mcpServers: { a: { command: 'a' } } },
    }
    expect(ask('mcp__a__act', files, { skill: 'guard' })).toMatchObject({ decision: 'deny', isListed: false })
  })
})
