/** OpenCode behind the model door: what reaches the model, and what is on disk afterwards. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { ownPort } from '../support/own-port.ts'
import { audited, makePlace, readRun, type ClientRun, type Place } from './client-run.ts'
import { plantedFiles, secretOf } from './door/kinds.ts'
import { start, stop } from './door/lab.ts'
import { kindsLeaked } from './door/leaks.ts'
import { modelConfig, opencodeBash, opencodeTool, startOpencode, startTask } from './opencode.ts'
import { loadContext, privateLine, writeContexts } from './private-context.ts'
import { found, startScriptedModel, type ModelRequest, type Scripts, type ToolUse } from './scripted-model.ts'

const routes = ['through the door', 'with hooks only', 'without contextd'] as const
type Route = (typeof routes)[number]
const packages = ['@ai-sdk/anthropic', '@ai-sdk/openai-compatible'] as const

interface Lab {
  readonly place: Place
  readonly run: ClientRun
  readonly requests: readonly ModelRequest[]
  file(name: string): string
}

interface Options {
  /** Runs when contextd is set up, and before its daemon starts. */
  readonly prepare?: (place: Place) => void
  readonly isStopped?: true
  /** OpenCode's own provider, with a key in the environment and nothing about it in a file. */
  readonly isBuiltIn?: true
}

async function runOpencode(
  route: Route,
  npm: string,
  scripts: (project: string) => Scripts,
  options: Options = {},
): Promise<Lab> {
  const place = makePlace()
  for (const name of ['settings.env', 'config.yaml']) place.write(`project/${name}`, plantedFiles[name]!)
  place.write(
    'project/.opencode/agent/scanner.md',
    '---\ndescription: Scans.\nmode: subagent\n---\nYou scan.\n',
  )
  const model = await startScriptedModel(scripts(place.project))
  onTestFinished(() => model.close())
  const permission = { '*': 'allow', external_directory: 'allow' }
  const builtIn = 'anthropic/claude-haiku-4-5'
  const config = options.isBuiltIn
    ? { model: builtIn, small_model: builtIn, share: 'disabled', autoupdate: false }
    : modelConfig(model.url, npm)
  place.write('home/.config/opencode/opencode.json', { ...config, permission })
  if (route !== 'without contextd') await setUp(place, model.url, route === 'through the door', options)
  return {
    place,
    run: readRun(
      await startOpencode(place, [], options.isBuiltIn ? { ANTHROPIC_API_KEY: 'none' } : {}),
      model,
    ),
    requests: model.requests,
    file: (name) => readFileSync(join(place.project, name), 'utf8'),
  }
}

async function setUp(
  place: Place,
  modelUrl: string,
  hasDoor: boolean,
  { prepare, isStopped }: Options,
): Promise<void> {
  // A daemon that the client started itself would be waited for.
  const port = await ownPort()
  place.write(
    'home/.config/contextd/config.toml',
    `[http]\nport = ${port}\n\n[control]\nautostart = false\n\n[model]\nanthropic = "${modelUrl}"\n`,
  )
  const args = ['init', '--platform', 'opencode', ...(hasDoor ? [] : ['--no-door'])]
  const { code, stderr } = await place.ours('contextd', ...args)
  if (code !== 0) throw new Error(stderr)
  prepare?.(place)
  if (isStopped) return
  const daemon = await start(place)
  onTestFinished(() => stop(daemon))
}

const read = (id: string, filePath: string): ToolUse => ({ id, tool: 'read', input: { filePath } })
const write = (id: string, filePath: string, content: string): ToolUse => ({
  id,
  tool: 'write',
  input: { filePath, content },
})

/** What the model was shown: the value, or the token in its place. */
const github = found('GITHUB_TOKEN=(\\[SECRET_\\d+\\]|ghp_\\w+)')
const password = found('password: \\\\*"(\\[SECRET_\\d+\\]|\\w{16})')

const writing = (project: string): Scripts => {
  const env = join(project, 'settings.env')
  const oldString = `GITHUB_TOKEN=${github}`
  return {
    main: [
      [read('read', env), read('read-yaml', join(project, 'config.yaml'))],
      [{ id: 'edit', tool: 'edit', input: { filePath: env, oldString, newString: `${oldString} # May` } }],
      [write('write', 'config.yaml', `# new\npassword: "${password}"\n`)],
      [write('create', join(project, 'copy.env'), `GITHUB_TOKEN=${github}\n`)],
      [opencodeBash('bash', 'cat settings.env')],
      'done',
    ],
  }
}

describe.each(packages)('a file that is written back, %s', (npm) => {
  test('through the door it has its values again, and the model none of them', async () => {
    const { run, requests, file } = await runOpencode('through the door', npm, writing)
    expect(kindsLeaked(requests.map(({ text }) => text))).toEqual([])
    expect(file('settings.env')).toBe(withMay())
    expect(file('config.yaml')).toBe(`# new\npassword: "${secretOf('yaml-password')}"\n`)
    // Another file never gets a value, and the model learns that it wrote the token.
    expect(file('copy.env')).toMatch(/^GITHUB_TOKEN=\[SECRET_\d+\]\n$/)
    expect(run.saw('create').text).toMatch(/\[SECRET_\d+\]/)
    for (const id of ['edit', 'write']) expect(run.saw(id).text).not.toMatch(/\[SECRET_\d+\]/)
    expect(run.saw('bash').text).toMatch(/GITHUB_TOKEN=\[SECRET_\d+\] # May/)
    // For contextd alone.
    expect(requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain('x-contextd-caller')
  })

  test('without contextd the model gets every value', async () => {
    const { requests, file } = await runOpencode('without contextd', npm, writing)
    expect(kindsLeaked(requests.map(({ text }) => text))).toContain('github-pat')
    expect(file('settings.env')).toBe(withMay())
    expect(file('copy.env')).toBe(`GITHUB_TOKEN=${secretOf('github-pat')}\n`)
  })
})

test('with hooks only, the token itself ends up in the file', async () => {
  const { requests, file } = await runOpencode('with hooks only', packages[0], writing)
  expect(kindsLeaked(requests.map(({ text }) => text))).toEqual([])
  expect(file('settings.env')).toBe(plantedFiles['settings.env'])
  expect(file('config.yaml')).toMatch(/^# new\npassword: "\[SECRET_\d+\]"\n$/)
})

test('a provider that only the environment has a key for', async () => {
  const { run, requests } = await runOpencode(
    'through the door',
    '',
    (project) => ({ main: [[read('read', join(project, 'settings.env'))], 'done'] }),
    { isBuiltIn: true },
  )
  expect(run.saw('read').text).toMatch(/GITHUB_TOKEN=\[SECRET_\d+\]/)
  expect(kindsLeaked(requests.map(({ text }) => text))).toEqual([])
})

test('a subagent shares the tokens of its session', async () => {
  const { run, requests, file } = await runOpencode('through the door', packages[0], (project) => {
    const env = join(project, 'settings.env')
    const oldString = `GITHUB_TOKEN=${github}`
    const input = { filePath: env, oldString, newString: `${oldString} # May` }
    return {
      main: [[read('read', env)], [startTask('task', 'scanner', 'scanner')], 'done'],
      scanner: [[read('read-too', env)], [{ id: 'edit', tool: 'edit', input }], 'changed'],
    }
  })
  const tokenIn = (id: string): string | undefined =>
    /GITHUB_TOKEN=(\[SECRET_\d+\])/.exec(run.saw(id).text)?.[1]
  expect(tokenIn('read')).toBeDefined()
  expect(tokenIn('read-too')).toBe(tokenIn('read'))
  expect(file('settings.env')).toBe(withMay())
  expect(kindsLeaked(requests.map(({ text }) => text))).toEqual([])
})

test('what is private to a subagent is masked in the requests of the agent that started it', async () => {
  const { run, place } = await runOpencode(
    'through the door',
    packages[0],
    () => ({
      main: [[startTask('task', 'scanner', 'scanner')], 'done'],
      scanner: [[loadContext('load', undefined, opencodeTool)], `It says: ${privateLine}`],
    }),
    { prepare: (one) => writeContexts(one, 'scanner') },
  )
  expect(run.saw('load').text).toContain(privateLine)
  expect(run.saw('task').text).toContain('It says')
  expect(run.told('main')).not.toContain(privateLine)
  const sent = (await audited(place)).filter(({ server }) => server === 'model')
  expect(sent.length).toBeGreaterThan(3)
})

test('without a daemon nothing reaches the model, and the client says what to do', async () => {
  const { run, requests } = await runOpencode('through the door', packages[0], writing, { isStopped: true })
  expect(requests).toEqual([])
  expect(run.stdout).toContain('nothing was sent to the model')
  expect(run.stdout).toContain('ctxd server start')
})

function withMay(): string {
  const value = secretOf('github-pat')
  return plantedFiles['settings.env']!.replace(value, `${value} # May`)
}
