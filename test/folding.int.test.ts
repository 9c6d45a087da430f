/** Context folding over the real stdio transport and pipeline, attested like Claude Code. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'

import { composeRuntime, type Runtime } from '../src/compose.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { answer } from '../src/core/result.ts'
import { defineTool } from '../src/tools/define-tool.ts'
import { sampleSecrets } from './support/registry.ts'
import { sandboxHere } from './support/sandbox-here.ts'
import { asksData, initialize, openStdioDoor } from './support/stdio-door.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

/** Returns as many lines as requested, about five tokens each. */
const talk = defineTool({
  name: 'talk',
  description: 'Talks.',
  input: z.object({ lines: z.int(), waits: z.boolean().optional() }),
  async run({ lines, waits }) {
    if (waits === true) {
      begun()
      await mayGoOn
    }
    return answer({
      said: Array.from({ length: lines }, (_, at) => `line ${at} of what was said\n`).join(''),
    })
  },
})

/** Lets a test end a branch while a call in it is running. */
let begun = (): void => {}
let go = (): void => {}
const isBegun = new Promise<void>((resolve) => (begun = resolve))
const mayGoOn = new Promise<void>((resolve) => (go = resolve))

interface Reply {
  /** Tokens that entered the caller's context. */
  readonly tokens: number
  readonly data: JsonObject
  readonly ref?: string
  readonly note?: string
  readonly code?: string
}

interface Caller {
  readonly type: string
  readonly instance: string
}
const main: Caller = { type: '', instance: '' }
const sub = (instance: string): Caller => ({ type: 'general-purpose', instance })

interface ClientOptions {
  readonly home?: TempHome
  readonly session?: string
  readonly config?: string
}

async function claudeCode({ home = makeTempHome(), session = 'one', config = '' }: ClientOptions = {}) {
  onTestFinished(home.remove)
  home.write('config/config.toml', `[log]\nlevel = "error"\n${config}`)
  const runtime: Runtime = await composeRuntime({
    env: home.env,
    cwd: home.project,
    tools: [talk],
    log: () => {},
  })
  const door = openStdioDoor(runtime)
  const hangUp = async (): Promise<void> => {
    door.hangUp()
    await door.ended
  }
  onTestFinished(hangUp)
  door.send({
    ...initialize,
    params: { ...initialize.params, clientInfo: { name: 'claude-code', version: '2.1.325' } },
  })
  await door.answer('init')
  door.send({ jsonrpc: '2.0', method: 'notifications/initialized' })

  let id = 0
  const request = async (name: string, args: JsonObject, meta: JsonObject): Promise<JsonObject> => {
    id += 1
    const params = { name, arguments: args, _meta: { ...meta, ...asksData } }
    const sent = id
    door.send({ jsonrpc: '2.0', id: sent, method: 'tools/call', params })
    return door.answer(sent)
  }
  /** Attested by a hook if the client names the caller; otherwise like a client without hooks. */
  const call = async (
    caller: Caller | undefined,
    tool: string,
    args: JsonObject = {},
    meta: JsonObject = {},
  ): Promise<Reply> => {
    const use = `toolu_${id}`
    if (caller !== undefined) {
      const attestation = {
        tool_use_id: use,
        agent_id: caller.instance,
        agent_type: caller.type,
        session_id: session,
        tool_name: `mcp__plugin_contextd_contextd__${tool}`,
      }
      await request('attest', attestation, {})
    }
    const marked = caller === undefined ? meta : { ...meta, 'claudecode/toolUseId': use }
    const { result, error } = await request(tool, args, marked)
    if (isJsonObject(error)) return { tokens: 0, data: {}, code: (error.data as JsonObject).code as string }
    const { structuredContent: structured } = result as { structuredContent: JsonObject }
    if (isJsonObject(structured.error)) return { tokens: 0, data: {}, code: structured.error.code as string }
    const [ref] = (structured.refs ?? []) as { ref: string }[]
    return {
      tokens: structured.tokens_used as number,
      data: (isJsonObject(structured.data) ? structured.data : { text: structured.data }) as JsonObject,
      ...(ref !== undefined && { ref: ref.ref }),
      ...(typeof structured.note === 'string' && { note: structured.note }),
    }
  }
  const open = (more: JsonObject = {}): Promise<Reply> => call(main, 'branch', task(more))
  return { runtime, home, call, open, hangUp }
}

const task = (more: JsonObject = {}): JsonObject => ({
  description: 'read all',
  prompt: 'Read all of it.',
  ...more,
})
const done = { message: 'All read.' }

describe('a subagent that works in a branch', () => {
  test('reads ten large answers; the main thread pays for two small ones', async () => {
    const { call, open } = await claudeCode()
    const opened = await open({ budget: 32_768 })
    let read = 0
    for (let file = 0; file < 10; file += 1) {
      const { tokens, note } = await call(sub('a1'), 'talk', { lines: 2000 })
      read += tokens
      if (file === 0) expect(note).toContain(`branch ${opened.data.branch as string}`)
    }
    const returned = await call(sub('a1'), 'return', { ...done, outcome: 'success', files: ['a.txt'] })
    expect(returned.data).toMatchObject({
      message: 'All read.',
      outcome: 'success',
      files: ['a.txt'],
      used: read,
    })
    expect(opened.tokens + returned.tokens).toBeLessThan(500)
    expect(read).toBeGreaterThan(15_000)
    const keptOut = returned.data.kept_out as number
    expect(keptOut).toBeLessThan(read)
    expect(keptOut).toBeGreaterThan(read - 200)
  })

  test('shares nothing that it received', async () => {
    const { call, open } = await claudeCode()
    const before = await call(main, 'talk', { lines: 2000 })
    await open()
    const { ref } = await call(sub('a1'), 'talk', { lines: 2000 })
    expect((await call(sub('a1'), 'read_more', { ref: ref! })).code).toBeUndefined()
    expect((await call(main, 'read_more', { ref: ref! })).code).toBe('REF_NOT_FOUND')
    await call(sub('a1'), 'return', done)
    // Others had no access before the branch ended, and its end does not give them access.
    for (const caller of [main, sub('a1')]) {
      expect((await call(caller, 'read_more', { ref: ref! })).code).toBe('REF_NOT_FOUND')
    }
    expect((await call(main, 'read_more', { ref: before.ref! })).code).toBeUndefined()
  })

  test('of the same agent too', async () => {
    const { call, open } = await claudeCode()
    const fork = { type: 'main', instance: 'f1' }
    await open()
    const { ref } = await call(fork, 'talk', { lines: 2000 })
    expect((await call(main, 'read_more', { ref: ref! })).code).toBe('REF_NOT_FOUND')
    expect((await call(fork, 'read_more', { ref: ref! })).code).toBeUndefined()
  })

  test('including calls that were pending when its opener ended it', async () => {
    const { call } = await claudeCode()
    await call(sub('a1'), 'branch', task())
    await call(sub('a2'), 'talk', { lines: 1 })
    const late = call(sub('a2'), 'talk', { lines: 2000, waits: true })
    await isBegun
    await call(sub('a1'), 'return', done)
    go()
    const { ref } = await late
    for (const caller of [sub('a1'), sub('a2')]) {
      expect((await call(caller, 'read_more', { ref: ref! })).code).toBe('REF_NOT_FOUND')
    }
    const outside = await call(sub('a1'), 'talk', { lines: 2000 })
    expect((await call(sub('a2'), 'read_more', { ref: outside.ref! })).code).toBeUndefined()
  })

  test('does not spend what others do', async () => {
    const { runtime, call, open } = await claudeCode()
    const { data } = await open()
    await call(sub('a1'), 'talk', { lines: 50 })
    const used = (): number | undefined => runtime.memory.branches.find(data.branch as string)?.used
    const before = used()
    await call(main, 'talk', { lines: 50 })
    await call(sub('a2'), 'talk', { lines: 50 })
    expect(used()).toBe(before)
    await call(sub('a1'), 'talk', { lines: 50 })
    expect(used()).toBeGreaterThan(before!)
  })
})

describe('an agent that works in its own branch', () => {
  test('sees previews, reads on where it wants to, and afterwards not at all', async () => {
    const { call, open } = await claudeCode()
    await open()
    const preview = await call(main, 'talk', { lines: 2000 })
    expect(preview.tokens).toBeLessThanOrEqual(250)
    const more = await call(main, 'read_more', { ref: preview.ref! })
    expect(more.tokens).toBeGreaterThan(1000)
    const { data } = await call(main, 'return', done)
    expect(data.used).toBe(preview.tokens + more.tokens)
    expect(data.kept_out).toBeGreaterThan(1500)
    expect((await call(main, 'read_more', { ref: preview.ref! })).code).toBe('REF_NOT_FOUND')
    expect((await call(main, 'talk', { lines: 2000 })).tokens).toBeGreaterThan(1000)
  })

  test('nests, and returns depth-first', async () => {
    const { call, open, runtime } = await claudeCode()
    const outer = (await open()).data.branch as string
    await call(main, 'talk', { lines: 5 })
    const inner = (await open()).data.branch as string
    const seen = await call(main, 'talk', { lines: 2000 })
    const { data } = await call(main, 'return', { ...done, branch_id: outer })
    expect(data).toMatchObject({ branch: outer, closed_inside: 1 })
    expect(runtime.memory.branches.find(inner)?.state).toBe('closed')
    expect((await call(main, 'read_more', { ref: seen.ref! })).code).toBe('REF_NOT_FOUND')
    expect((await call(main, 'return', done)).code).toBe('BRANCH_NOT_FOUND')
  })
})

describe('a budget', () => {
  test('is warned about once; when it is spent calls are refused, but return works', async () => {
    const { call, open } = await claudeCode()
    await open({ budget: 4000 })
    const notes: string[] = []
    let spent = 0
    let last: Reply
    do {
      last = await call(sub('a1'), 'talk', { lines: 120 })
      spent += last.tokens
      if (last.note !== undefined) notes.push(last.note)
    } while (last.code === undefined)
    expect(last.code).toBe('BUDGET_EXHAUSTED')
    expect(notes.filter((note) => note.includes('80 %'))).toHaveLength(1)
    expect(spent).toBeGreaterThan(3800)
    expect(spent).toBeLessThanOrEqual(4000)
    expect((await call(sub('a1'), 'return', done)).data).toMatchObject({ used: spent })
    // The branch's budget was spent, not the caller's own.
    expect((await call(sub('a1'), 'talk', { lines: 120 })).code).toBeUndefined()
  })

  test('that is used up does not allow reading a brief to distil', async () => {
    const { call, open } = await claudeCode()
    const { data } = await call(main, 'checkpoint_save', { summary: 'Some.', context: 'More. '.repeat(500) })
    const distil = { from: [data.id as string] }
    await open({ budget: 256 })
    expect((await call(sub('a1'), 'talk', { lines: 100 })).code).toBeUndefined()
    expect((await call(sub('a1'), 'memory_store', distil)).code).toBe('BUDGET_EXHAUSTED')
    const lesson = { title: 'Look', description: 'When lost.', content: 'Look twice.', outcome: 'success' }
    expect((await call(sub('a1'), 'memory_store', { ...distil, ...lesson })).code).toBeUndefined()
    expect((await call(sub('a1'), 'checkpoint_save', { summary: 'Here.' })).code).toBeUndefined()
    await call(sub('a1'), 'return', done)
    expect((await call(main, 'memory_store', distil)).code).toBeUndefined()
  })

  test('is not overspent by calls at the same time', async () => {
    const { call, open, runtime } = await claudeCode()
    const { data } = await open({ budget: 1000 })
    await call(sub('a1'), 'talk', { lines: 1 })
    await Promise.all(Array.from({ length: 12 }, () => call(sub('a1'), 'talk', { lines: 100 })))
    // Calls that had begun still get a minimal answer.
    expect(runtime.memory.branches.find(data.branch as string)?.used).toBeLessThanOrEqual(1000 + 11 * 100)
  })

  test('cannot be larger than allowed', async () => {
    const { open } = await claudeCode({ config: '[branch]\nopen = 1\n' })
    expect((await open({ budget: 32_769 })).code).toBe('INVALID_ARGUMENTS')
    expect((await open({ budget: 32_768 })).code).toBeUndefined()
    expect((await open()).code).toBe('BRANCH_LIMIT')
  })
})

describe('the id', () => {
  test('identifies the branch for a caller without attestation, as argument and in _meta', async () => {
    const { call, runtime } = await claudeCode()
    const id = (await call(undefined, 'branch', task())).data.branch as string
    const other = (await call(undefined, 'branch', task())).data.branch as string
    const usedOf = (branch: string): number | undefined => runtime.memory.branches.find(branch)?.used
    const before = usedOf(id)!
    expect((await call(undefined, 'talk', { lines: 5, branch_id: id })).code).toBeUndefined()
    const between = usedOf(id)!
    expect(between).toBeGreaterThan(before)
    await call(undefined, 'talk', { lines: 5 }, { 'dev.contextd/branch': id })
    expect(usedOf(id)).toBeGreaterThan(between)
    expect(usedOf(other)).toBe(0)
    await call(undefined, 'talk', { lines: 5 })
    expect(usedOf(other)).toBeGreaterThan(0)
  })

  test.each([
    ['unknown', 'br_unknown'],
    ['no text', 7],
    ['empty', ''],
  ])('that is %s is refused, and nothing runs', async (_, branch_id) => {
    const { call } = await claudeCode()
    expect((await call(main, 'talk', { lines: 1, branch_id })).code).toBe('BRANCH_NOT_FOUND')
    expect((await call(main, 'talk', { lines: 1 }, { 'dev.contextd/branch': branch_id })).code).toBe(
      'BRANCH_NOT_FOUND',
    )
    expect((await call(main, 'talk', { lines: 1 })).code).toBeUndefined()
  })

  test('is not valid in another session', async () => {
    const { home, open, call } = await claudeCode()
    const id = (await open()).data.branch as string
    const other = await claudeCode({ home, session: 'two' })
    const named = { lines: 1, branch_id: id }
    expect((await other.call(main, 'talk', named)).code).toBe('BRANCH_NOT_FOUND')
    expect((await other.call(sub('a1'), 'return', { ...done, branch_id: id })).code).toBe('BRANCH_NOT_FOUND')
    expect((await call(main, 'talk', named)).code).toBeUndefined()
  })
})

describe('a session', () => {
  test('that resumes after a crash finds its branch', async () => {
    const { home, open, call } = await claudeCode()
    const { data } = await open()
    await call(main, 'talk', { lines: 1 })
    // For the store, the first process still runs: nothing ended its session.
    const again = await claudeCode({ home })
    expect((await again.call(main, 'return', done)).data).toMatchObject({ branch: data.branch })
    const stranger = await claudeCode({ home, session: 'two' })
    expect((await stranger.call(main, 'return', done)).code).toBe('BRANCH_NOT_FOUND')
  })

  test('that ends closes its branches', async () => {
    const { home, open, call, hangUp } = await claudeCode()
    const { data } = await open()
    await call(main, 'talk', { lines: 1 })
    await hangUp()
    const again = await claudeCode({ home })
    expect(again.runtime.memory.branches.find(data.branch as string)?.state).toBe('closed')
    expect((await again.call(main, 'return', done)).code).toBe('BRANCH_NOT_FOUND')
  })
})

test('a secret in the prompt or summary of a branch is neither returned nor stored', async () => {
  const [secret = ''] = sampleSecrets(1)
  const { home, call, open, runtime } = await claudeCode()
  const { data } = await open({ prompt: `Use ${secret} for it.` })
  const returned = await call(main, 'return', { message: `It is ${secret}.`, insights: [`${secret} works`] })
  expect(JSON.stringify(returned.data)).not.toContain(secret)
  expect(returned.data.message).toMatch(/^It is \[SECRET_\d+\]/)
  const { prompt, message } = runtime.memory.branches.find(data.branch as string)!
  expect(prompt + message).not.toContain(secret)
  runtime.audit.flush()
  for (const file of ['contextd.db', 'contextd.db-wal']) {
    expect(readFileSync(join(home.path, 'state', file)).includes(secret)).toBe(false)
  }
})

describe('insights', () => {
  test('become memories if requested', async () => {
    const { call, open } = await claudeCode()
    const branch = (await open()).data.branch as string
    const insights = ['Retry the flaky upload twice.', 'Never trust the clock of the runner.']
    const report = { ...done, insights, extract: true }
    expect((await call(main, 'return', report)).code).toBe('INVALID_ARGUMENTS')
    const { data } = await call(main, 'return', { ...report, outcome: 'failure' })
    expect(data.memories).toHaveLength(2)
    const [id] = data.memories as string[]
    const kept = await call(main, 'memory_get', { ids: [id!] })
    expect(JSON.stringify(kept.data)).toContain('Retry the flaky upload twice.')
    expect(JSON.stringify(kept.data)).toContain(branch)
    expect(JSON.stringify(kept.data)).toContain('failure')
  })

  test('remain text otherwise', async () => {
    const { call, open } = await claudeCode()
    await open()
    const { data } = await call(main, 'return', { ...done, insights: 'One alone.' })
    expect(data).toMatchObject({ insights: ['One alone.'] })
    expect(data).not.toHaveProperty('memories')
  })
})

test('the example costs the main thread under 500 tokens, about as documented', () => {
  const folder = fileURLToPath(new URL('../examples/fold-a-search', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'fold.mjs')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  // Without a sandbox, it reports that.
  expect([status, sandboxHere ? stderr : '']).toEqual([0, ''])
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  const tokensIn = (text: string, what: string): number =>
    Number(new RegExp(`^${what} +(\\d+) tokens$`, 'm').exec(text)?.[1])
  for (const what of ['read in the branch', 'kept out', 'main thread']) {
    expect(Math.abs(tokensIn(stdout, what) / tokensIn(page, what) - 1), what).toBeLessThan(0.1)
  }
  expect(tokensIn(stdout, 'main thread')).toBeLessThan(500)
  expect(tokensIn(stdout, 'read in the branch')).toBeGreaterThan(20_000)
  expect(page).toContain(/^answer .*$/m.exec(stdout)![0])
})
