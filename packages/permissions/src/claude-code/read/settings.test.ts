import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

const deny = (...rules: unknown[]): object => ({ permissions: { deny: rules } })

function rules(): string[] {
  return folders
    .read()
    .settings.flatMap((file) => file.rules)
    .map(
      ({ level, list, text, file, line, column }) =>
        `${level} ${list} ${text} ${folders.short(file)}:${line}:${column}`,
    )
}

function problems(): string[] {
  return folders
    .read()
    .problems.map(({ kind, file, line, column }) => `${kind} ${folders.short(file)}:${line}:${column}`)
}

describe('settings', () => {
  it('are read at all levels, the strongest first, with the position of each rule', () => {
    folders.write({
      'managed/managed-settings.json': deny('M'),
      'managed/managed-settings.d/20.json': deny('D2'),
      'managed/managed-settings.d/10.json': deny('D1'),
      'managed/managed-settings.d/.hidden.json': deny('H'),
      'project/.claude/settings.local.json': deny('L'),
      'project/.claude/settings.json':
        '{"permissions": {"allow": ["A"],\n "ask": ["B"], "deny": ["C", "D"]}}',
      'home/.claude/settings.json': deny('U'),
    })
    expect(rules()).toEqual([
      'managed deny M managed/managed-settings.json:4:7',
      'managed deny D1 managed/managed-settings.d/10.json:4:7',
      'managed deny D2 managed/managed-settings.d/20.json:4:7',
      'local deny L project/.claude/settings.local.json:4:7',
      'project allow A project/.claude/settings.json:1:28',
      'project ask B project/.claude/settings.json:2:10',
      'project deny C project/.claude/settings.json:2:25',
      'project deny D project/.claude/settings.json:2:30',
      'user deny U home/.claude/settings.json:4:7',
    ])
    expect(problems()).toEqual([])
  })

  it('are user settings if the project is the home folder', () => {
    folders.write({ 'home/.claude/settings.json': deny('U') })
    const { settings } = folders.read({ project: folders.places.home })
    expect(settings.map(({ level }) => level)).toEqual(['user'])
  })

  const file = 'project/.claude/settings.json'

  it.each([
    ['no JSON', '{"permissions": {"deny": ["A"]}', [`malformed ${file}:1:32`]],
    ['a comment', '{\n  // why\n  "permissions": {"deny": ["A"]}}', [`comments ${file}:2:3`]],
    ['a last comma', '{"permissions": {"deny": ["A",]}}', [`comments ${file}:1:31`]],
    ['a list', '[]', [`wrong-shape ${file}:1:1`]],
    ['permissions that are a list', '{"permissions": ["A"]}', [`wrong-shape ${file}:1:17`]],
    [
      'rules that are a string',
      '{"permissions": {"allow": "Read", "deny": ["A"]}}',
      [`wrong-shape ${file}:1:27`],
    ],
    [
      'a known key of another type',
      '{"permissions": {"deny": ["A"]},\n "env": []}',
      [`wrong-shape ${file}:2:9`],
    ],
    [
      'a guard that cannot be loaded',
      '{"permissions": {"deny": ["A"]},\n "hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}',
      [`wrong-shape ${file}:2:38`],
    ],
  ])('are ignored as a whole with %s', (_what, text, expected) => {
    folders.write({ [file]: text })
    expect(rules()).toEqual([])
    expect(folders.read().settings).toEqual([])
    expect(problems()).toEqual(expected)
  })

  it.each([
    ['a byte order mark', '\uFEFF{"permissions": {"deny": ["A"]}}', ['A'], []],
    ['unknown keys', '{"permissions": {"deny": ["A"], "x": 1}, "y": 2}', ['A'], []],
    ['nothing in it', ' \n', [], []],
    ['a rule that is no text', '{"permissions": {"deny": [5, "A"]}}', ['A'], [`wrong-shape ${file}:1:27`]],
    [
      'a duplicate key',
      '{"permissions": {"deny": ["A"]},\n "permissions": {"deny": ["B"]}}',
      ['B'],
      [`duplicate-key ${file}:1:2`],
    ],
    [
      'a non-guarding hook that cannot be loaded',
      '{"permissions": {"deny": ["A"]},\n "hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}',
      ['A'],
      [`wrong-shape ${file}:2:32`],
    ],
  ])('still apply with %s', (_what, text, expected, noted) => {
    folders.write({ [file]: text })
    expect(folders.read().settings.flatMap((one) => one.rules.map((rule) => rule.text))).toEqual(expected)
    expect(problems()).toEqual(noted)
  })

  it('of the administrator apply except for their faults', () => {
    folders.write({ 'managed/managed-settings.json': { env: [], permissions: { deny: ['A'], allow: 'B' } } })
    expect(folders.read().settings.flatMap((one) => one.rules.map((rule) => rule.text))).toEqual(['A'])
    expect(problems()).toHaveLength(2)
  })

  it('are read through links; unreadable files are reported', () => {
    folders.write({ 'home/dotfiles/settings.json': deny('U') })
    mkdirSync(join(folders.path, 'home/.claude'))
    symlinkSync('../dotfiles/settings.json', join(folders.path, 'home/.claude/settings.json'))
    mkdirSync(join(folders.path, 'project/.claude/settings.json'), { recursive: true })
    symlinkSync('nowhere', join(folders.path, 'project/.claude/settings.local.json'))
    expect(rules()).toEqual(['user deny U home/.claude/settings.json:4:7'])
    expect(problems()).toEqual([
      'unreadable project/.claude/settings.local.json:1:1',
      'unreadable project/.claude/settings.json:1:1',
    ])
  })

  it('are not read if they are huge', () => {
    folders.write({ 'home/.claude/settings.json': `{"x": "${'y'.repeat(4_100_000)}"}` })
    expect(problems()).toEqual(['unreadable home/.claude/settings.json:1:1'])
  })
})
