/** Strict: the client's own tools are refused and ours stand in. Friendly: they stay, and no secret leaves them. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { pluginTool, runClaude, withPlugin } from './claude-code.ts'
import { makePlace, type ClientRun, type Place } from './client-run.ts'
import { pluginWithoutGuards } from './hook-free-plugin.ts'
import type { ToolUse, Turn } from './scripted-model.ts'

const secret = makeSample('ghp_{alnum:36}', seededRandom(61)).text

const bash = (id: string, command: string): ToolUse => ({ id, tool: 'Bash', input: { command } })
const read = (id: string, file: string): ToolUse => ({ id, tool: 'Read', input: { file_path: file } })
const ours = (id: string, tool: string, input: ToolUse['input']): ToolUse => ({
  id,
  tool: pluginTool(tool),
  input,
})

describe('strict mode', () => {
  const scripts = {
    main: [
      [bash('bash', 'echo it ran > by-bash.txt')],
      [read('read', 'notes.txt')],
      [{ id: 'write', tool: 'Write', input: { file_path: 'by-write.txt', content: 'it ran' } }],
      [
        {
          id: 'edit',
          tool: 'Edit',
          input: { file_path: 'notes.txt', old_string: 'plain', new_string: 'it ran' },
        },
      ],
      [ours('our-bash', 'safe_bash', { command: 'echo it ran > by-our-bash.txt' })],
      [ours('our-read', 'safe_read', { path: 'notes.txt' })],
      [ours('our-write', 'safe_write', { path: 'by-our-write.txt', content: 'it ran' })],
      'done',
    ],
  }
  const builtins = ['bash', 'read', 'write', 'edit']
  const allow = ['--allowedTools', 'Bash', 'Read', 'Write', 'Edit']
  const made = (place: Place): string[] =>
    place
      .filesWith('it ran')
      .filter((file) => file.startsWith('project/'))
      .sort()

  test('built-in tools are refused by name of what to use instead, and ours work', async () => {
    const place = makePlace()
    place.write('project/notes.txt', 'a plain note')
    place.write('home/.config/contextd/config.toml', '[client]\nmode = "strict"\n')
    const run = await runClaude(place, scripts, [...withPlugin, ...allow])
    for (const id of builtins) {
      expect(run.saw(id)).toMatchObject({ isError: true })
      expect(run.saw(id).text).toMatch(/safe_(bash|read|write|edit)/)
    }
    expect(run.saw('our-read').text).toContain('a plain note')
    expect(made(place)).toEqual(['project/by-our-bash.txt', 'project/by-our-write.txt'])
  })

  test('in friendly mode the same calls all work', async () => {
    const place = makePlace()
    place.write('project/notes.txt', 'a plain note')
    const run = await runClaude(place, scripts, [...withPlugin, ...allow])
    for (const id of [...builtins, 'our-bash', 'our-read', 'our-write']) {
      expect(run.saw(id)).toMatchObject({ isError: false })
    }
    expect(made(place)).toHaveLength(5)
  })

  test.each([
    ['strict', false],
    ['friendly', true],
  ])('%s: whether a skill of the project runs commands: %s', async (mode, runs) => {
    const place = makePlace()
    place.write('home/.config/contextd/config.toml', `[client]\nmode = "${mode}"\n`)
    place.write(
      'project/.claude/skills/toucher/SKILL.md',
      '---\nname: toucher\ndescription: x\nallowed-tools: Bash(touch:*)\n---\nSee !`touch by-skill.txt`\n',
    )
    const skill = { main: [[{ id: 'skill', tool: 'Skill', input: { skill: 'toucher' } }], 'done'] }
    await runClaude(place, skill, [...withPlugin, '--allowedTools', 'Skill'])
    expect(existsSync(join(place.root, 'project', 'by-skill.txt'))).toBe(runs)
  })
})

describe('friendly mode', () => {
  const ways: ToolUse[] = [
    bash('succeeding', 'cat .env; echo after-success'),
    bash('failing', 'cat .env; echo after-failure; exit 3'),
    bash('complaining', 'cat .env >&2; echo after-complaint >&2; false'),
    bash('large', 'cat huge.env'),
    bash('large-failing', 'cat huge.env; exit 1'),
    bash('one-line', 'tr -d "\\n" < .env; echo; echo after-line'),
    read('read', '.env'),
    read('read-large', 'large.env'),
  ]
  const main: Turn[] = [...ways.map((way) => [way]), 'done']
  const allow = ['--allowedTools', 'Bash', 'Read']

  function makeSecretPlace(): Place {
    const place = makePlace()
    place.write('project/.env', `NAME=contextd\nGITHUB_TOKEN=${secret}\n`)
    for (const [name, times] of [
      ['large', 300],
      ['huge', 3000],
    ] as const) {
      place.write(`project/${name}.env`, `GITHUB_TOKEN=${secret}\nNAME=contextd\n`.repeat(times))
    }
    return place
  }
  const kept = (place: Place): string[] =>
    place.filesWith(secret).filter((file) => !file.startsWith('project/'))
  const leaking = (run: ClientRun): string[] =>
    ways.map(({ id }) => id).filter((id) => run.saw(id).text.includes(secret))

  test('a secret never reaches the model, nor what the client keeps', async () => {
    const place = makeSecretPlace()
    const run = await runClaude(place, { main }, [...withPlugin, ...allow])
    expect(leaking(run)).toEqual([])
    expect(run.told()).not.toContain(secret)
    expect(kept(place)).toEqual([])
    // The commands ran, and said the rest of what they had to say.
    expect(run.saw('succeeding')).toMatchObject({ isError: false })
    expect(run.saw('succeeding').text).toMatch(/NAME=contextd[\s\S]*\[SECRET_\d+\][\s\S]*after-success/)
    expect(run.saw('failing')).toMatchObject({ isError: true })
    expect(run.saw('failing').text).toMatch(/\[SECRET_\d+\][\s\S]*after-failure/)
    expect(run.saw('complaining').text).toMatch(/\[SECRET_\d+\][\s\S]*after-complaint/)
    expect(run.saw('read').text).toMatch(/NAME=contextd[\s\S]*\[SECRET_\d+\]/)
  })

  test('without our hooks every one of these shows it', async () => {
    const place = makeSecretPlace()
    const run = await runClaude(place, { main }, [...pluginWithoutGuards(place), ...allow])
    expect(leaking(run)).toEqual(ways.map(({ id }) => id))
    expect(kept(place)).not.toEqual([])
  })
})
