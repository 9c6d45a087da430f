/** The plugin as people get it: from the marketplace file, into a home where nothing is yet. */

import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { claudeCommand, noPatience, pluginFolder, pluginTool, runClaude, startAgent } from './claude-code.ts'
import { makePlace, type Place } from './client-run.ts'
import { loadContext, privateLine } from './private-context.ts'

/** What is shipped and nothing else: no packages lie anywhere above it. */
function copyMarketplace(place: Place): string {
  const folder = join(place.root, 'marketplace')
  cpSync(resolve('.claude-plugin'), join(folder, '.claude-plugin'), { recursive: true })
  cpSync(pluginFolder, join(folder, 'integrations', 'claude-code'), { recursive: true })
  return folder
}

/** On an older Node the plugin gets one package from the registry, wherever npm finds that on this machine. */
const wayToRegistry = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'npm_config_registry', 'HTTPS_PROXY', 'https_proxy'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

test('the client finds nothing wrong with it', async () => {
  const place = makePlace()
  const folder = copyMarketplace(place)
  for (const path of [folder, join(folder, 'integrations', 'claude-code')]) {
    const { code, stdout, stderr } = await claudeCommand(place, 'plugin', 'validate', path)
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/warning|error/i)])
  }
})

test('installed into an empty home, it works on the first call', async () => {
  const place = makePlace()
  for (const args of [
    ['marketplace', 'add', copyMarketplace(place)],
    ['install', 'contextd@contextd'],
  ]) {
    const { code, stderr } = await claudeCommand(place, 'plugin', ...args)
    expect([code, stderr]).toEqual([0, ''])
  }
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
    { ...wayToRegistry, ...noPatience },
  )
  expect(run.saw('first')).toMatchObject({ isError: false })
  expect(run.saw('first').text).toContain('a plain note')
  expect(run.saw('command').text).toContain('3')
  expect(run.saw('load').text).toContain(privateLine)
  expect(run.saw('bash').text).toContain('from the shell')
  expect(run.told('main')).not.toContain(privateLine)
})
