/** Our tools as executables, in the client's own shell: what comes back is scrubbed, without MCP and without a hook. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { runClaude } from './claude-code.ts'
import { audited, makePlace, type Place } from './client-run.ts'
import type { ToolUse } from './scripted-model.ts'

const secret = makeSample('ghp_{alnum:36}', seededRandom(97)).text
const bash = (id: string, command: string): ToolUse => ({ id, tool: 'Bash', input: { command } })

/** Outside of the place, which waits for the end of everything that was started in it. */
async function startDaemon({ home, project }: Place): Promise<void> {
  const daemon = spawn(process.execPath, [resolve('bin/contextd.js'), 'serve', '--json'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    const ended = once(daemon, 'exit')
    daemon.kill('SIGTERM')
    await ended
  })
  await once(daemon.stdout, 'data')
}

test('a link of `contextd init --tools` answers the model, and no secret does', async () => {
  const place = makePlace()
  place.write('home/.config/contextd/config.toml', '[http]\nport = 0\n')
  place.write('project/.env', `NAME=contextd\nGITHUB_TOKEN=${secret}\n`)
  const { code, stdout } = await place.ours('contextd', 'init', '--tools')
  expect([code, stdout]).toEqual([0, expect.stringContaining('.claude/tools')])
  await startDaemon(place)
  const link = (tool: string): string => `.claude/tools/${tool}/${tool}`
  const run = await runClaude(
    place,
    {
      main: [
        [bash('page', `cat ${link('safe_bash').replace(/\w+$/, 'TOOL.md')}`)],
        [bash('link', `${link('safe_bash')} --command 'cat .env; pwd'`)],
        [bash('json', `echo '{"path":".env"}' | ${link('safe_read')} --json`)],
        [bash('wrong', `${link('safe_bash')} --comand ls`)],
        'done',
      ],
    },
    ['--allowedTools', 'Bash'],
  )
  expect(run.saw('page').text).toContain('# safe_bash')
  expect(run.saw('link')).toMatchObject({ isError: false })
  expect(run.saw('link').text).toMatch(/NAME=contextd\nGITHUB_TOKEN=\[SECRET_\d+\]/)
  expect(run.saw('link').text).toContain(place.project)
  expect(run.saw('json').text).toMatch(/\[SECRET_\d+\]/)
  expect(run.saw('wrong')).toMatchObject({ isError: true })
  expect(run.saw('wrong').text).toContain('did you mean --command?')
  expect(run.told()).not.toContain(secret)
  const calls = await audited(place, '--tool', 'safe_bash')
  expect(calls).not.toEqual([])
})

test('without them the same shell shows it', async () => {
  const place = makePlace()
  place.write('project/.env', `GITHUB_TOKEN=${secret}\n`)
  const run = await runClaude(place, { main: [[bash('plain', 'cat .env')], 'done'] }, [
    '--allowedTools',
    'Bash',
  ])
  expect(run.saw('plain').text).toContain(secret)
})
