import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { bundleScript } from '../../../test/support/bundled-script.ts'
import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { dataOf, errorIn, toolRuntime, type ToolRuntime } from '../../../test/support/tool-runtime.ts'
import type { Call, Claims } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { resolvePaths } from '../../platform/files/paths.ts'
import { listCommands } from '../shell/background/command-journal.ts'

interface Output extends JsonObject {
  status: string
  output: string
  next: number
}

describe.runIf(sandboxHere)('background commands', () => {
  let place: ToolRuntime
  beforeEach(async () => {
    const capabilities = ['fs:read:**', 'fs:write:**', 'shell:exec']
    const agent = { allow: { servers: ['contextd'], capabilities } }
    place = await toolRuntime({
      rules: { agents: { default: agent, other: agent }, defaults: { deny_on_missing_agent: false } },
    })
  })
  afterEach(() => place.close())

  const start = async (command: string, parts: Partial<Call> = {}): Promise<string> =>
    (dataOf(await place.call('safe_bash', { command, background: true }, parts)) as { id: string }).id
  const read = async (id: string, args: JsonObject = {}, parts: Partial<Call> = {}): Promise<Output> =>
    dataOf(await place.call('safe_output', { id, ...args }, parts)) as Output
  /** Polls until the command has the status, or has written the text; returns everything that was read. */
  const readUntil = async (id: string, wanted: { status?: string; text?: string }): Promise<Output> => {
    let output = ''
    for (;;) {
      const part = await read(id)
      output += part.output
      const isWanted =
        wanted.text === undefined ? part.status === wanted.status : output.includes(wanted.text)
      if (isWanted) return { ...part, output }
      await sleep(20)
    }
  }

  test('return an id at once, and are read and stopped with it', async () => {
    const answer = await place.call('safe_bash', {
      command: 'echo started; echo failed >&2; sleep 600',
      background: true,
    })
    const { id, note } = dataOf(answer) as { id: string; note: string }
    expect(note).toContain('safe_output')
    expect(note).toContain('Other commands cannot connect to its ports')
    const first = await readUntil(id, { text: 'failed\n' })
    expect(first.status).toBe('running')
    expect(first.output.split('\n').sort()).toEqual(['', 'failed', 'started'])
    // Only what is new, or what was written from an offset on.
    expect((await read(id)).output).toBe('')
    expect((await read(id, { since: 0 })).output).toBe(first.output)
    expect(dataOf(await place.call('safe_stop', { id }))).toEqual({ status: 'stopped' })
    expect((await read(id)).status).toBe('stopped')
  })

  test('report how they ended, with the output of their last line', async () => {
    const id = await start('echo one; printf two; exit 3')
    expect(await readUntil(id, { status: 'exited' })).toMatchObject({ exit_code: 3, output: 'one\ntwo' })
    const missing = await place.call('safe_bash', { command: 'true', cwd: '/etc/ssh', background: true })
    const failed = await readUntil((dataOf(missing) as { id: string }).id, { status: 'failed' })
    expect(failed.error).toContain('PATH_NOT_GRANTED')
  })

  test('have ports that only their own programs reach, as their note says', async () => {
    const serve = 'python3 -m http.server 4321 --bind 127.0.0.1'
    const get = 'curl -sS --retry 99 --retry-connrefused --retry-delay 1 -o /dev/null http://127.0.0.1:4321/'
    const id = await start(`${serve} & ${get} && echo served; wait`)
    // The twin: in the same command, which shows that the server runs.
    await readUntil(id, { text: 'served' })
    const other = await place.call('safe_bash', { command: 'curl -sS http://127.0.0.1:4321/' })
    expect(dataOf(other)).toMatchObject({ exit_code: 7 })
  })

  test('are ended at their limit of time', async () => {
    const answer = await place.call('safe_bash', { command: 'sleep 600', background: true, timeout_ms: 300 })
    const { id, note } = dataOf(answer) as { id: string; note: string }
    expect(note).toMatch(/^Running for up to 1 s\. /)
    expect(await readUntil(id, { status: 'exited' })).toMatchObject({
      exit_code: 137,
      limit: 'time',
      note: 'Killed at its timeout: start it again with a larger timeout_ms, or let it do less.',
    })
    const tooLong = await place.call('safe_bash', {
      command: 'true',
      background: true,
      timeout_ms: 3_600_001,
    })
    expect(errorIn(tooLong)).toMatchObject({ code: 'COMMAND_TOO_LONG', limit: 3600 })
  })

  test('a secret is masked, also when its lines are written and read in parts', async () => {
    const token = makeSample('ghp_{alnum:36}', seededRandom(7)).text
    const lines = Array.from({ length: 12 }, (_, index) => makeSample('{alnum:64}', seededRandom(index)).text)
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----']
    writeFileSync(join(place.project, 'key'), `${key.join('\n')}\n`)
    const id = await start(
      [
        `printf 'token ${token.slice(0, 20)}'; until [ -e go ]; do sleep 0.05; done; echo '${token.slice(20)}'`,
        'head -5 key; until [ -e on ]; do sleep 0.05; done; tail -n +6 key; echo ready; sleep 600',
      ].join('\n'),
    )
    const parts: string[] = []
    const collect = async (wanted: string): Promise<void> => {
      parts.push((await readUntil(id, { text: wanted })).output)
    }
    expect((await read(id)).output).toBe('')
    writeFileSync(join(place.project, 'go'), '')
    await collect('[SECRET_')
    parts.push((await read(id)).output)
    writeFileSync(join(place.project, 'on'), '')
    await collect('ready')
    // From every byte of it.
    for (let since = 0; since < 900; since += 50) parts.push((await read(id, { since })).output)
    const seen = parts.join('')
    for (const secret of [token, token.slice(20), ...lines]) expect(seen).not.toContain(secret)
    // The twin: the command did write all of it.
    expect(readFileSync(join(place.project, 'key'), 'utf8')).toContain(lines[7])
    expect(seen).toContain('ready')
  })

  test('a read that begins with the last line of a cut key shows nothing of it', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => makeSample('{alnum:64}', seededRandom(index)).text)
    const [last, ordinary] = [lines.at(-1)!, 'The server is ready, and waits for requests on its port.']
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}\n`
    writeFileSync(join(place.project, 'key'), key)
    const id = await start(`cat key; echo; echo '${ordinary}'`)
    while ((await read(id, { since: 1_000_000 })).status === 'running') await sleep(20)
    const { output } = await read(id, { since: key.indexOf(last) })
    expect(output).not.toContain(last)
    // The twin: the same read shows other lines.
    expect(output).toContain(ordinary)
  })

  test('belong to the session and agent that started them', async () => {
    const mine = { claims: { token: { id: 'one', agent: 'default' } } satisfies Claims }
    const id = await start('echo private; sleep 600', mine)
    const strangers: Partial<Call>[] = [
      { ...mine, session: place.runtime.sessions.begin({ name: 'b', version: '1', door: 'cli' }) },
      { claims: { token: { id: 'two', agent: 'other' } } },
      { claims: { attested: { agent: 'default', instance: 'subagent' } } },
      // The same agent, less reliably identified.
      { claims: { environment: 'default' } },
    ]
    for (const stranger of strangers) {
      for (const tool of ['safe_output', 'safe_stop']) {
        expect(errorIn(await place.call(tool, { id }, stranger)).code).toBe('NOT_FOUND')
      }
    }
    // The twin: they still run, for their own agent.
    expect((await read(id, {}, mine)).status).toBe('running')
    expect(dataOf(await place.call('safe_stop', { id }, mine))).toEqual({ status: 'stopped' })
  })

  test('are limited in number, and ended ones make room', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => start('sleep 600')))
    const refused = await place.call('safe_bash', { command: 'sleep 600', background: true })
    expect(errorIn(refused)).toMatchObject({
      code: 'TOO_MANY_COMMANDS',
      message: '4 background commands are running in this session',
    })
    await place.call('safe_stop', { id: ids[0]! })
    expect(await start('sleep 600')).toMatch(/^bg_/)
  })

  test('of one agent leave room for those of others, in however many sessions', async () => {
    const mine = { claims: { token: { id: 'one', agent: 'default' } } } satisfies Partial<Call>
    const begin = (): string => place.runtime.sessions.begin({ name: 'b', version: '1', door: 'cli' })
    const background = { command: 'sleep 600', background: true }
    for (const session of [begin(), begin()]) {
      for (let index = 0; index < 4; index++) await start('sleep 600', { ...mine, session })
    }
    const session = begin()
    expect(errorIn(await place.call('safe_bash', background, { ...mine, session }))).toMatchObject({
      code: 'TOO_MANY_COMMANDS',
      message: '8 background commands are running for this agent, and the rest is for others',
    })
    // The twins: another agent can start one, and so can this one after it has stopped one of its own.
    const other = { claims: { token: { id: 'two', agent: 'other' } }, session } satisfies Partial<Call>
    expect(await start('sleep 600', other)).toMatch(/^bg_/)
    place.runtime.sessions.end(session)
  })

  test('end when the rules take away the tool or a grant that they run with, and say so', async () => {
    const { rulesFile } = resolvePaths({ CONTEXTD_HOME: place.home })
    const change = (agent: object): void => {
      const agents = { default: agent, other: { ...agent, limits: { calls_per_minute: 9000 } } }
      writeFileSync(rulesFile, JSON.stringify({ agents, defaults: { deny_on_missing_agent: false } }))
      place.runtime.rules.refresh()
    }
    const servers = ['contextd']
    const capabilities = ['fs:read:**', 'fs:write:**', 'shell:exec']
    const id = await start('sleep 600')
    // The twins: what it does not run with may change, also to more.
    change({ allow: { servers, capabilities: [...capabilities, 'http:fetch:example.com'] } })
    change({ allow: { servers, capabilities }, deny: { tools: { contextd: ['safe_write'] } } })
    expect((await read(id)).status).toBe('running')
    change({ allow: { servers, capabilities: ['fs:read:**', 'shell:exec'] } })
    expect(await readUntil(id, { status: 'stopped' })).toMatchObject({
      note: 'The rules changed while the command ran: fs:write:** is no longer granted as before.',
    })
    const second = await start('sleep 600')
    change({ allow: { servers, capabilities }, deny: { tools: { contextd: ['safe_bash'] } } })
    expect((await readUntil(second, { status: 'stopped' })).note).toBe(
      'The rules changed while the command ran: tool denied by name [agents.default.deny.tools.contextd[0]].',
    )
    const events = [...place.records.audit.query({ event: 'background-ended' })]
    expect(events.map(({ details }) => details?.reason !== undefined)).toEqual([true, true])
  })

  test('end with their session and with contextd, and are listed until then', async () => {
    const folder = join(place.home, 'state/commands')
    const mark = `${Date.now()}${process.pid}`
    const running = (): boolean =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(`sleep ${mark}`)
    const id = await start(`echo up; sleep ${mark}`)
    await readUntil(id, { text: 'up' })
    expect(running()).toBe(true)
    expect(listCommands(folder)).toMatchObject([{ id, agent: 'default', command: `echo up; sleep ${mark}` }])
    place.runtime.sessions.end(place.session)
    while (running()) await sleep(20)
    while (readdirSync(folder).length > 0) await sleep(20)
    const session = place.runtime.sessions.begin({ name: 'b', version: '1', door: 'cli' })
    await start(`sleep ${mark}`, { session })
    while (!running()) await sleep(20)
    await place.runtime.close()
    expect(running()).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  test('end with a contextd that is killed, and are no longer listed', async () => {
    const mark = `${Date.now()}${process.pid}`
    const isRunning = (): boolean =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(`sleep ${mark}`)
    const program = await bundleScript('test/support/background-runner.ts')
    const env = { CONTEXTD_HOME: place.home, CONTEXTD_DEFAULT_AGENT: 'default', PATH: process.env.PATH }
    const child = spawn(process.execPath, [program.path, place.project, `sleep ${mark}`], { env })
    try {
      while (!isRunning()) await sleep(20)
      expect(listCommands(join(place.home, 'state/commands'))).toHaveLength(1)
      child.kill('SIGKILL')
      await once(child, 'exit')
      while (isRunning()) await sleep(20)
      expect(listCommands(join(place.home, 'state/commands'))).toEqual([])
    } finally {
      child.kill('SIGKILL')
      program.remove()
    }
  })

  test('cannot leave behind what git would run, while they run', async () => {
    execFileSync('git', ['init', '-q', place.project])
    const hook = join(place.project, '.git/hooks/post-checkout')
    mkdirSync(join(place.project, 'sub'))
    const id = await start(
      'echo "#!/bin/sh" > .git/hooks/post-checkout; cd sub; git init -q; git config core.pager evil; echo x > ../.mcp.json; echo fine > ok; echo done; sleep 600',
    )
    await readUntil(id, { text: 'done' })
    const config = join(place.project, 'sub/.git/config')
    while (existsSync(join(place.project, '.mcp.json')) || existsSync(config)) await sleep(20)
    expect(existsSync(hook)).toBe(false)
    expect((await read(id)).status).toBe('running')
    // The twin: harmless files stay.
    expect(readFileSync(join(place.project, 'sub/ok'), 'utf8')).toBe('fine\n')
    // Another command runs next to it.
    appendFileSync(join(place.project, 'a'), 'a')
    expect(dataOf(await place.call('safe_bash', { command: 'cat a' }))).toMatchObject({ stdout: 'a' })
  })

  test('their tools are listed once a session has started one, and its client is notified', async () => {
    let notified = 0
    place.runtime.onListChanged(() => (notified += 1))
    const session = place.runtime.sessions.begin({ name: 'b', version: '1', door: 'cli' })
    expect(await place.listed()).not.toContain('safe_output')
    await start('true')
    expect(notified).toBe(1)
    expect(await place.listed()).toEqual(expect.arrayContaining(['safe_output', 'safe_stop']))
    expect(await place.listed({ session })).not.toContain('safe_output')
    await start('true')
    expect(notified).toBe(1)
  })
})
