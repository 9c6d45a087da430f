/** A project that one person shared, on the machines of others. Every refusal has a twin that works. */

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

import { runClaude, trustProject, projectTool } from './claude-code.ts'
import { audited, makePlace, programFolders, type ClientRun, type Place } from './client-run.ts'
import { opencodeBash, runOpencode } from './opencode.ts'
import { found, type Scripts, type ToolUse } from './scripted-model.ts'

type Program = 'works' | 'fails' | 'missing'

/** A folder for the PATH with contextd, or with something in its place. */
function programIn(place: Place, program: Program): NodeJS.ProcessEnv {
  const folder = join(place.root, 'bin')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'contextd')
  rmSync(file, { force: true })
  if (program === 'works') symlinkSync(resolve('bin', 'contextd.js'), file)
  if (program === 'fails') {
    writeFileSync(file, '#!/bin/sh\necho broken >&2\nexit 1\n')
    chmodSync(file, 0o755)
  }
  return { PATH: [folder, ...programFolders].join(delimiter) }
}

/** Set up with `--shared` by somebody else: nothing of that person's own is here. */
async function sharedPlace(platform: string, ...args: string[]): Promise<Place> {
  const place = makePlace()
  trustProject(place)
  const env = programIn(place, 'works')
  const words = ['init', '--platform', platform, '--shared', '--no-door', ...args]
  const { code, stderr } = await place.start(process.execPath, [resolve('bin', 'contextd.js'), ...words], env)
  if (code !== 0) throw new Error(stderr)
  rmSync(join(place.project, '.claude/settings.local.json'), { force: true })
  trustProject(place)
  rmSync(join(place.home, '.local'), { recursive: true, force: true })
  rmSync(join(place.home, '.config'), { recursive: true, force: true })
  place.write('project/notes.txt', 'a plain note')
  return place
}

const read: ToolUse = { id: 'read', tool: 'Read', input: { file_path: 'notes.txt' } }
const scripts: Scripts = {
  main: [
    [{ id: 'bash', tool: 'Bash', input: { command: 'echo it ran > by-bash.txt' } }],
    [read],
    [{ id: 'edit', tool: 'Edit', input: { file_path: 'notes.txt', old_string: 'plain', new_string: 'new' } }],
    'done',
  ],
}
const allow = ['--allowedTools', 'Bash', 'Read', 'Edit']
const isEdited = (place: Place): boolean => place.filesWith('a new note').includes('project/notes.txt')
const hasRun = (place: Place): boolean => existsSync(join(place.project, 'by-bash.txt'))

describe('Claude Code', () => {
  const session = async (place: Place, program: Program): Promise<ClientRun> =>
    runClaude(place, scripts, allow, programIn(place, program))
  const works = (place: Place, run: ClientRun): void => {
    expect(['bash', 'read', 'edit'].map((id) => run.saw(id).isError)).toEqual([false, false, false])
    expect([hasRun(place), isEdited(place)]).toEqual([true, true])
  }
  const isRefused = (place: Place, run: ClientRun): void => {
    expect(['bash', 'read', 'edit'].map((id) => run.saw(id).isError)).toEqual([true, true, true])
    expect([hasRun(place), isEdited(place)]).toEqual([false, false])
  }
  const messages = (run: ClientRun): number => run.stdout.split('which is not installed here').length - 1

  test('a colleague without contextd works as before, and learns once how to install it', async () => {
    const place = await sharedPlace('claude-code')
    const run = await session(place, 'missing')
    works(place, run)
    // The event of the hook contains its output twice.
    expect(messages(run)).toBe(2)
    expect(run.stdout).toContain('install contextd and run ctxd init here')
    expect(existsSync(join(place.home, '.local/state/contextd'))).toBe(false)
  })

  test('with --require every tool is refused there, and says what to do', async () => {
    const place = await sharedPlace('claude-code', '--require')
    const run = await session(place, 'missing')
    isRefused(place, run)
    expect(run.saw('bash').text).toContain('this project requires contextd')
  })

  test('a contextd that is installed and fails blocks', async () => {
    const place = await sharedPlace('claude-code')
    isRefused(place, await session(place, 'fails'))
  })

  test('where contextd was used before, a missing program blocks', async () => {
    const place = await sharedPlace('claude-code')
    place.write('home/.local/state/contextd/used', '')
    const run = await session(place, 'missing')
    isRefused(place, run)
    expect(run.saw('bash').text).toContain('not on the PATH of this client')
  })

  test('with contextd the same calls work, checked', async () => {
    const place = await sharedPlace('claude-code')
    const run = await session(place, 'works')
    works(place, run)
    expect(messages(run)).toBe(0)
    const guarded = await runClaude(
      place,
      { main: [[{ id: 'rc', tool: 'Bash', input: { command: 'echo x >> ~/.bashrc' } }], 'done'] },
      allow,
      programIn(place, 'works'),
    )
    expect(guarded.saw('rc').text).toContain('contextd:')
  })

  test("the user's own hooks run in place of the shared ones, and also when a repository takes those away", async () => {
    const place = await sharedPlace('claude-code')
    const env = programIn(place, 'works')
    const words = [resolve('bin', 'contextd.js'), 'init', '--platform', 'claude-code', '--no-door']
    expect((await place.start(process.execPath, words, env)).code).toBe(0)
    const main = [[{ id: 'rc', tool: 'Bash', input: { command: 'echo x >> ~/.bashrc' } }], [read], 'done']
    for (const settings of [undefined, '{}']) {
      if (settings !== undefined) place.write('project/.claude/settings.json', settings)
      const run = await runClaude(place, { main }, allow, env)
      expect(run.saw('rc')).toMatchObject({ isError: true, text: expect.stringContaining('contextd:') })
      expect(run.saw('read').isError).toBe(false)
    }
    const refused = await audited(place, '--event', 'hook-refused')
    expect(refused).toHaveLength(2)
  })

  test('personal files work alone: the server, its tools and the hooks', async () => {
    const place = makePlace()
    trustProject(place)
    const { code, stderr } = await place.ours('contextd', 'init', '--platform', 'claude-code', '--no-door')
    expect([stderr, code]).toEqual([expect.stringContaining('--undo'), 0])
    expect(existsSync(join(place.project, '.mcp.json'))).toBe(false)
    const run = await runClaude(
      place,
      {
        main: [
          [{ id: 'ours', tool: projectTool('safe_bash'), input: { command: 'echo from the sandbox' } }],
          [{ id: 'rc', tool: 'Bash', input: { command: 'echo x >> ~/.bashrc' } }],
          'done',
        ],
      },
      allow,
    )
    expect(run.saw('ours')).toMatchObject({
      isError: false,
      text: expect.stringContaining('from the sandbox'),
    })
    expect(run.saw('rc').text).toContain('contextd:')
    expect(run.told()).toContain('Prefer the tools of the MCP server')
  })
})

test('OpenCode: a colleague without contextd works as before, and learns how to install it', async () => {
  const place = await sharedPlace('opencode')
  const env = programIn(place, 'missing')
  const main = [[opencodeBash('bash', 'echo it ran > by-bash.txt')], 'done']
  const run = await runOpencode(place, { main }, [], env)
  expect([hasRun(place), run.saw('bash').text]).toEqual([true, expect.not.stringContaining('contextd')])
  expect(run.stderr).toContain('install contextd and run ctxd init here')
})

test.each<[string, Program, string[], boolean, boolean]>([
  ['--require', 'missing', ['--require'], false, false],
  ['a contextd that fails', 'fails', [], false, false],
  ['a missing contextd that was used before', 'missing', [], true, false],
  ['contextd', 'works', [], false, true],
])('OpenCode: whether commands run with %s', async (_, program, args, wasUsed, runs) => {
  const place = await sharedPlace('opencode', ...args)
  if (wasUsed) place.write('home/.local/state/contextd/used', '')
  const main = [[opencodeBash('bash', 'echo it ran > by-bash.txt')], 'done']
  await runOpencode(place, { main }, [], programIn(place, program))
  expect(hasRun(place)).toBe(runs)
})

describe('the output of a background command', () => {
  const main: Scripts['main'] = [
    [
      {
        id: 'start',
        tool: 'Bash',
        input: { command: 'echo from the background', run_in_background: true },
      },
    ],
    [{ id: 'read', tool: 'Read', input: { file_path: found('written to: (\\S+\\.output)') } }],
    [{ id: 'cat', tool: 'Bash', input: { command: `cat ${found('written to: (\\S+\\.output)')}` } }],
    'done',
  ]
  const isShown = (run: ClientRun): boolean[] =>
    ['read', 'cat'].map((id) => run.saw(id).text.includes('from the background'))

  async function initialized(): Promise<Place> {
    const place = makePlace()
    trustProject(place)
    const { code, stderr } = await place.ours('contextd', 'init', '--platform', 'claude-code', '--no-door')
    if (code !== 0) throw new Error(stderr)
    return place
  }

  test('is readable to its own session', async () => {
    const place = await initialized()
    expect(isShown(await runClaude(place, { main }, allow))).toEqual([true, true])
  })

  test('is told from the outputs of agents by its name, also without hooks', async () => {
    const place = await initialized()
    const settings = join(place.project, '.claude/settings.local.json')
    const { hooks: _, ...rules } = JSON.parse(readFileSync(settings, 'utf8')) as Record<string, unknown>
    writeFileSync(settings, JSON.stringify(rules))
    const ids = ['a1b2c3d4e', 't1b2c3d4e', 'w1b2c3d4e', 'b1b2c3d4e', 'm1b2c3d4e']
    const fileOf = (id: string): string => place.write(`project/tasks/${id}.output`, 'what it said')
    const reads = ids.map((id): ToolUse[] => [{ id, tool: 'Read', input: { file_path: fileOf(id) } }])
    const run = await runClaude(place, { main: [...reads, 'done'] }, allow)
    const shown = ids.filter((id) => run.saw(id).text.includes('what it said'))
    expect(shown).toEqual(['b1b2c3d4e', 'm1b2c3d4e'])
  })

  test('is refused to another session', async () => {
    const place = await initialized()
    const first = await runClaude(place, { main }, allow)
    const file = /written to: (\S+\.output)/.exec(first.saw('start').text)?.[1] ?? ''
    // The client cleans up when it ends.
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, 'from the background\n')
    const others: Scripts = {
      main: [
        [{ id: 'read', tool: 'Read', input: { file_path: file } }],
        [{ id: 'cat', tool: 'Bash', input: { command: `cat ${file}` } }],
        'done',
      ],
    }
    expect(isShown(await runClaude(place, others, allow))).toEqual([false, false])
    // The control: without our hooks and rules, the client shows it.
    rmSync(join(place.project, '.claude'), { recursive: true })
    expect(isShown(await runClaude(place, others, [...allow, '--add-dir', join(file, '..')]))).toEqual([
      true,
      true,
    ])
  })
})

test('strict mode: a project agent with built-in tools has ours after init, and none without', async () => {
  const place = makePlace()
  trustProject(place)
  place.write(
    'project/.claude/agents/reader.md',
    '---\nname: reader\ndescription: Reads.\ntools: Read, Bash\n---\nYou read.\n',
  )
  place.write('project/notes.txt', 'a plain note')
  const init = ['init', '--platform', 'claude-code', '--no-door', '--mode', 'strict']
  const start = {
    description: 'reads',
    prompt: '[follow sub]',
    subagent_type: 'reader',
    run_in_background: false,
  }
  const main: Scripts = {
    main: [[{ id: 'agent', tool: 'Agent', input: start }], 'done'],
    sub: [[{ id: 'note', tool: projectTool('safe_read'), input: { path: 'notes.txt' } }], 'read it'],
  }
  await place.ours('contextd', ...init)
  const without = await runClaude(place, main, ['--allowedTools', 'Agent'])
  expect(without.saw('agent').text).toContain('zero tools')
  await place.ours('contextd', ...init, '--agent-tools')
  const run = await runClaude(place, main, ['--allowedTools', 'Agent'])
  expect(run.saw('agent').text).toContain('read it')
  expect(run.saw('note').text).toContain('a plain note')
})
