/** The plugin as people get it: from the repository's marketplace file, into an empty home. */

import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { claudeCommand, noPatience, pluginFolder, pluginTool, runClaude, startAgent } from './claude-code.ts'
import { makePlace, type Place } from './client-run.ts'
import { loadContext, privateLine } from './private-context.ts'

const repository = resolve('.')

/** contextd is built with packages from the registry, wherever npm finds that on this machine. */
const registrySettings = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'npm_config_registry', 'HTTPS_PROXY', 'https_proxy'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

async function install(place: Place, marketplace: string): Promise<void> {
  for (const args of [
    ['marketplace', 'add', marketplace],
    ['install', 'contextd@contextd'],
  ]) {
    const { code, stderr } = await claudeCommand(place, 'plugin', ...args)
    expect([code, stderr]).toEqual([0, ''])
  }
}

test('the client finds nothing wrong with it', async () => {
  const place = makePlace()
  for (const path of [repository, pluginFolder]) {
    const { code, stdout, stderr } = await claudeCommand(place, 'plugin', 'validate', path)
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/warning|error/i)])
  }
})

test('installed from a folder into an empty home, it works on the first call', async () => {
  const place = makePlace()
  await install(place, repository)
  const catalogue = place.write('home/catalogue.md', `# Catalogue\n\n- ${privateLine}\n`)
  const added = await place.ours('ctxd', 'context', 'add', catalogue, '--agent', 'contextd:scanner')
  expect([added.code, added.stderr]).toEqual([0, expect.any(String)])
  place.write('project/notes.txt', 'a plain note')

  const run = await runClaude(
    place,
    {
      main: [
        [{ id: 'first', tool: pluginTool('safe_read'), input: { path: 'notes.txt' } }],
        [{ id: 'command', tool: pluginTool('safe_bash'), input: { command: 'cat notes.txt | wc -w' } }],
        [startAgent('agent', 'contextd:scanner', 'scanner')],
        [{ id: 'bash', tool: 'Bash', input: { command: 'echo from the shell' } }],
        'done',
      ],
      scanner: [[loadContext('load')], 'nothing found'],
    },
    ['--allowedTools', 'Bash'],
    { ...registrySettings, ...noPatience },
  )
  expect(run.saw('first')).toMatchObject({ isError: false })
  expect(run.saw('first').text).toContain('a plain note')
  expect(run.saw('command').text).toContain('3')
  expect(run.saw('load').text).toContain(privateLine)
  expect(run.saw('bash').text).toContain('from the shell')
  expect(run.told('main')).not.toContain(privateLine)
})

test('installed from a git address, the first session builds it', async () => {
  const place = makePlace()
  const origin = join(place.root, 'contextd.git')
  execFileSync('git', ['clone', '--quiet', '--bare', repository, origin])
  place.write('home/.gitconfig', `[url "file://${origin}"]\n  insteadOf = https://git.example/contextd.git\n`)
  await install(place, 'https://git.example/contextd.git')

  const installed = join(place.home, '.claude/plugins/cache/contextd/contextd/0.1.0')
  const prepare = join(installed, 'server/session-start.mjs')
  const { code, stderr } = await place.start(process.execPath, [prepare], registrySettings)
  expect([code, stderr]).toEqual([0, ''])

  place.write('project/notes.txt', 'a plain note')
  const run = await runClaude(
    place,
    { main: [[{ id: 'first', tool: pluginTool('safe_read'), input: { path: 'notes.txt' } }], 'done'] },
    [],
    noPatience,
  )
  expect(run.saw('first')).toMatchObject({ isError: false })
  expect(run.saw('first').text).toContain('a plain note')
})
