/** OpenCode behind the model door: what reaches the model, and what is on disk afterwards. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { audited } from './client-run.ts'
import { kindsIn, plantedFiles, secretOf } from './door/kinds.ts'
import { kindsLeaked } from './door/leaks.ts'
import { opencodeBash, opencodeTool, startTask } from './opencode.ts'
import { packages, runOpencodeLab } from './opencode-door-lab.ts'
import { loadContext, privateLine, writeContexts } from './private-context.ts'
import { found, type Scripts, type ToolUse } from './scripted-model.ts'

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
    const { run, requests, leaked, file, place } = await runOpencodeLab('through the door', writing, { npm })
    expect(leaked()).toEqual([])
    expect(file('settings.env')).toBe(withMay())
    expect(file('config.yaml')).toBe(`# new\npassword: "${secretOf('yaml-password')}"\n`)
    // Another file never gets a value, and the model learns why it was not written.
    expect(run.saw('create').text).toMatch(/\[SECRET_\d+\] represents a secret that is not in this file/)
    expect(existsSync(join(place.project, 'copy.env'))).toBe(false)
    for (const id of ['edit', 'write']) expect(run.saw(id).text).not.toMatch(/\[SECRET_\d+\]/)
    expect(run.saw('bash').text).toMatch(/GITHUB_TOKEN=\[SECRET_\d+\] # May/)
    // For contextd alone.
    expect(requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain('x-contextd-caller')
  })

  test('without contextd the model gets every value', async () => {
    const { leaked, file } = await runOpencodeLab('without contextd', writing, { npm })
    expect(leaked()).toContain('github-pat')
    expect(file('settings.env')).toBe(withMay())
    expect(file('copy.env')).toBe(`GITHUB_TOKEN=${secretOf('github-pat')}\n`)
  })
})

test('with hooks only, no file is written with a token in it, and the model learns why', async () => {
  const { run, leaked, file } = await runOpencodeLab('with hooks only', writing)
  expect(leaked()).toEqual([])
  for (const name of ['settings.env', 'config.yaml']) expect(file(name)).toBe(plantedFiles[name])
  for (const id of ['edit', 'write']) expect(run.saw(id).text).toContain('the token would overwrite it')
  expect(run.saw('create').text).toContain('represents a secret that is not in this file')
})

test('a provider that only the environment has a key for', async () => {
  const { run, leaked } = await runOpencodeLab(
    'through the door',
    (project) => ({ main: [[read('read', join(project, 'settings.env'))], 'done'] }),
    { isBuiltIn: true },
  )
  expect(run.saw('read').text).toMatch(/GITHUB_TOKEN=\[SECRET_\d+\]/)
  expect(leaked()).toEqual([])
})

const delegating = (project: string): Scripts => {
  const env = join(project, 'settings.env')
  const oldString = `GITHUB_TOKEN=${github}`
  const input = { filePath: env, oldString, newString: `${oldString} # May` }
  return {
    main: [[read('read', env)], [startTask('task', 'scanner', 'scanner')], 'done'],
    scanner: [[read('read-too', env)], [{ id: 'edit', tool: 'edit', input }], 'changed'],
  }
}

test('a subagent shares the tokens of its session', async () => {
  const { run, leaked, file } = await runOpencodeLab('through the door', delegating)
  const tokenIn = (id: string): string | undefined =>
    /GITHUB_TOKEN=(\[SECRET_\d+\])/.exec(run.saw(id).text)?.[1]
  expect(tokenIn('read')).toBeDefined()
  expect(tokenIn('read-too')).toBe(tokenIn('read'))
  expect(file('settings.env')).toBe(withMay())
  expect(leaked()).toEqual([])
})

test('without contextd the requests of a subagent have every value', async () => {
  const { requests, file } = await runOpencodeLab('without contextd', delegating)
  const ofScanner = requests.filter(({ script }) => script === 'scanner').map(({ text }) => text)
  expect(kindsLeaked(ofScanner)).toEqual(kindsIn('settings.env'))
  expect(file('settings.env')).toBe(withMay())
})

const confessing = (): Scripts => ({
  main: [[startTask('task', 'scanner', 'scanner')], 'done'],
  scanner: [[loadContext('load', undefined, opencodeTool)], `It says: ${privateLine}`],
})

test('what is private to a subagent is masked in the requests of the agent that started it', async () => {
  const { run, place } = await runOpencodeLab('through the door', confessing, {
    prepare: (one) => writeContexts(one, 'scanner'),
  })
  expect(run.saw('load').text).toContain(privateLine)
  expect(run.saw('task').text).toContain('It says')
  expect(run.told('main')).not.toContain(privateLine)
  const sent = (await audited(place)).filter(({ server }) => server === 'model')
  expect(sent.length).toBeGreaterThan(3)
})

test('without the door and with a plugin that masks nothing, that agent gets it', async () => {
  const { run } = await runOpencodeLab('with hooks only', confessing, {
    prepare(one) {
      writeContexts(one, 'scanner')
      stopMasking(join(one.project, '.opencode/plugin/contextd.js'))
    },
  })
  expect(run.saw('load').text).toContain(privateLine)
  expect(run.told('main')).toContain(privateLine)
})

function stopMasking(plugin: string): void {
  const text = readFileSync(plugin, 'utf8')
  const changed = text.replace('const clean = createCleaner(', 'const clean = async () => {}; createCleaner(')
  expect(changed).not.toBe(text)
  writeFileSync(plugin, changed)
}

test('without a daemon nothing reaches the model, and the client says what to do', async () => {
  const { run, requests } = await runOpencodeLab('through the door', writing, { isStopped: true })
  expect(requests).toEqual([])
  expect(run.stdout).toContain('nothing was sent to the model')
  expect(run.stdout).toContain('ctxd start')
})

function withMay(): string {
  const value = secretOf('github-pat')
  return plantedFiles['settings.env']!.replace(value, `${value} # May`)
}
