/** Every link that `ctxd init --tools` writes, run as an agent runs it: with a real daemon and a real sandbox. */

import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  makeProxyHome,
  type ProxyEnded,
  type ProxyHome,
  type ProxyOptions,
} from '../../../test/support/proxy-home.ts'
import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { until } from '@contextd/shared/testing/until'
import { linkedTools } from '../../clients/tool-links/tools.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { resolvePaths } from '../../platform/files/paths.ts'
import { askDaemon } from '../../servers/local/hook-socket.ts'
import { readPid } from '../../servers/local/pid-file.ts'

const contextd = fileURLToPath(new URL('../../../bin/contextd.js', import.meta.url))
const secret = makeSample('ghp_{alnum:36}', seededRandom(83)).text

let home: ProxyHome
const run = (tool: string, argv: readonly string[], options: ProxyOptions = {}): Promise<ProxyEnded> =>
  home.proxy(argv, { program: join(home.project, '.claude', 'tools', tool, tool), cwd: '/', ...options })

async function data(tool: string, ...argv: string[]): Promise<JsonObject> {
  const { code, out, err } = await run(tool, [...argv, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as JsonObject
}

async function refusal(tool: string, ...argv: string[]): Promise<[code: number | null, error: unknown]> {
  const { code, out, err } = await run(tool, argv)
  expect(out).toBe('')
  return [code, (JSON.parse(err) as { error: { code: string } }).error.code]
}

async function stopDaemon(): Promise<void> {
  const { hookSocket, pidFile } = resolvePaths(home.env)
  await askDaemon(hookSocket, { method: 'stop' })
  await until(() => readPid(pidFile) === undefined)
}

beforeAll(async () => {
  home = makeProxyHome()
  home.write('config/config.toml', '[http]\nport = 0\n')
  home.write('project/.env', `NAME=contextd\nGITHUB_TOKEN=${secret}\n`)
  const { status, stderr } = spawnSync(process.execPath, [contextd, 'init', '--tools'], {
    cwd: home.project,
    env: { PATH: process.env.PATH, HOME: home.path, ...home.env },
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
})
afterAll(async () => {
  await stopDaemon()
  home.remove()
})

it('concurrent first calls start a single daemon', async () => {
  const agents = { CONTEXTD_DEFAULT_AGENT: 'nobody', CLAUDECODE: '1' }
  const first = [1, 2, 3].map(() => run('safe_read', ['--path', '.env'], { env: agents }))
  for (const { code, out, err } of await Promise.all(first)) {
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('NAME=contextd')
    expect(out).toMatch(/GITHUB_TOKEN=\[SECRET_\d+\]/)
    expect(out).not.toContain(secret)
  }
  const log = readFileSync(join(home.path, 'state', 'contextd.log'), 'utf8')
  expect(log.match(/"started_at"/g)).toHaveLength(1)
})

describe('every link', () => {
  const done = new Set<string>()
  const link = (name: string): string => {
    done.add(name)
    return name
  }

  it.runIf(sandboxHere)('safe_bash and read_more', async () => {
    const answer = await data(
      link('safe_bash'),
      '--command',
      'cat .env; seq 1 20000',
      '--timeout-ms',
      '20000',
    )
    expect(answer.data).toMatchObject({
      exit_code: 0,
      stdout: expect.stringMatching(/\[SECRET_\d+\]/) as string,
    })
    expect(JSON.stringify(answer)).not.toContain(secret)
    const [ref] = answer.refs as [{ ref: string; next: number }]
    const { out } = await run(link('read_more'), ['--ref', ref.ref, '--offset', String(ref.next)])
    expect(out).toMatch(/^\d+\n\d+\n/)
  })

  it('safe_write, safe_read and safe_edit', async () => {
    await data(link('safe_write'), '--path', 'made.txt', '--content', '--help')
    expect(readFileSync(join(home.project, 'made.txt'), 'utf8')).toBe('--help')
    const { out } = await run(link('safe_read'), [], { stdin: '{"path":"made.txt"}' })
    expect(out).toContain('--help')
    const edit = {
      path: 'made.txt',
      edits: [{ old: '--help', new: 'edited' }],
      expected_hash: createHash('sha256').update('--help').digest('hex'),
    }
    expect((await run(link('safe_edit'), [], { stdin: JSON.stringify(edit) })).out).toContain('edited')
    expect(readFileSync(join(home.project, 'made.txt'), 'utf8')).toBe('edited')
    expect(await refusal('safe_read', '--path', '../../etc/passwd')).not.toContain(0)
  })

  it('memories', async () => {
    const lesson = [
      '--title',
      'Pin it',
      '--description',
      'When it breaks',
      '--content',
      'Pin the version',
      '--outcome',
      'success',
    ]
    const { data: stored } = await data(link('memory_store'), ...lesson)
    const { id } = stored as { id: string }
    expect((await data(link('memory_search'), '--query', 'pin')).data).toMatchObject({ memories: [{ id }] })
    const { out } = await run(link('memory_get'), ['--ids', id])
    expect(out).toContain('Pin the version')
    expect((await run(link('memory_feedback'), ['--id', id, '--helpful'])).code).toBe(0)
  })

  it('checkpoints', async () => {
    const { data: saved } = await data(link('checkpoint_save'), '--summary', 'half way')
    const { id } = saved as { id: string }
    expect((await data(link('checkpoint_list'))).data).toMatchObject({ checkpoints: [{ id }] })
    expect((await run(link('checkpoint_restore'), ['--id', id, '--level', 'summary'])).out).toContain(
      'half way',
    )
  })

  it('branches', async () => {
    const { data: opened } = await data(link('branch'), '--description', 'look', '--prompt', 'Where is it?')
    const { branch } = opened as { branch: string }
    expect((await data(link('return'), '--message', 'There.')).data).toMatchObject({
      branch,
      message: 'There.',
    })
  })

  it('reports what a fresh project lacks', async () => {
    expect(await refusal(link('repo_search'), '--query', 'x')).toEqual([expect.any(Number), 'NOT_INDEXED'])
    expect((await refusal(link('http_fetch'), '--url', 'http://127.0.0.1:9/'))[1]).toMatch(
      /NOT_GRANTED|DENIED/,
    )
    expect((await data(link('list_servers'))).data).toEqual([])
    expect((await data(link('find_tools'), '--query', 'x')).data).toBeDefined()
    expect((await refusal(link('get_server_tools'), '--server', 'x'))[0]).not.toBe(0)
    expect((await refusal(link('execute_tool'), '--server', 'x', '--tool', 'y', '--args', '{}'))[0]).not.toBe(
      0,
    )
  })

  it('was run', () => {
    const skipped = sandboxHere ? [] : ['safe_bash', 'read_more']
    expect([...done, ...skipped].sort()).toEqual(linkedTools.map(({ name }) => name).sort())
  })
})

it('refuses an agent unknown to the rules, and accepts a known one', async () => {
  const as = (agent: string): Promise<ProxyEnded> =>
    run('safe_read', ['--path', '.env'], { env: { CONTEXTD_AGENT: agent } })
  expect(await as('nobody')).toMatchObject({
    code: 13,
    err: expect.stringContaining('INVALID_AGENT_ID') as string,
  })
  expect((await as('main')).code).toBe(0)
})

it('reports why a daemon cannot start', async () => {
  await stopDaemon()
  const rules = home.write('config/rules.json', '{')
  const { code, err } = await run('safe_read', ['--path', '.env'])
  expect([code, err]).toEqual([78, expect.stringContaining('RULES_INVALID')])
  rmSync(rules)
  home.write('config/config.toml', '[control]\nautostart = false\n[http]\nport = 0\n')
  expect(await refusal('safe_read', '--path', '.env')).toEqual([11, 'DAEMON_NOT_RUNNING'])
  home.write('config/config.toml', '[http]\nport = 0\n')
  expect((await run('safe_read', ['--path', '.env'])).code).toBe(0)
})
