import { expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { ToolHost } from '../../core/ports.ts'
import { answer, InputNeeded, type Result } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { dispatchStage } from './stage.ts'

function tool(name: string, run: Tool['run'], parse?: Tool['parse']): Tool {
  return {
    definition: { name, description: name, inputSchema: { type: 'object' } },
    server: 'contextd',
    needs: [],
    ...(parse && { parse }),
    run,
  }
}

const crashes: unknown[] = []

function dispatch(tools: Tool[], call = aCall()): Promise<Result> {
  const stage = dispatchStage({
    catalogue: {
      list: async () => tools.map(({ definition }) => definition),
    },
    hostFor: (bounded) => ({ call: bounded }) as ToolHost,
    clock: Date.now,
    onCrash: (_, error) => crashes.push(error),
  })
  const resolvedTool = tools.find(({ definition }) => definition.name === call.tool)
  return stage({ ...call, resolvedTool }, () => Promise.reject(new Error('nothing comes after dispatch')))
}

test('runs the tool that was called', async () => {
  expect(
    await dispatch([tool('other', async () => answer('no')), tool('probe', async () => answer('yes'))]),
  ).toEqual(answer('yes'))
})

test('an unknown tool is refused', async () => {
  expect(await dispatch([])).toMatchObject({ kind: 'refusal', error: { code: 'TOOL_NOT_FOUND' } })
})

test('invalid arguments are named, not repeated, and nothing runs', async () => {
  let ran = false
  const picky = tool(
    'probe',
    async () => {
      ran = true
      return answer('ran')
    },
    (args) =>
      args.n === 1
        ? { ok: true, value: args }
        : { ok: false, issues: [{ field: 'n', expected: 'the number 1' }] },
  )
  const refused = await dispatch([picky], aCall({ arguments: { n: 'very private' } }))
  expect(refused).toMatchObject({
    isError: true,
    structured: { error: { code: 'INVALID_ARGUMENTS', fields: [{ field: 'n', expected: 'the number 1' }] } },
  })
  expect(JSON.stringify(refused)).not.toContain('very private')
  expect(ran).toBe(false)
  expect(await dispatch([picky], aCall({ arguments: { n: 1 } }))).toEqual(answer('ran'))
})

test('arguments are parsed once, and the tool gets the result', async () => {
  const parsed: unknown[] = []
  const filling = tool(
    'probe',
    async (args) => answer(args),
    (args) => {
      parsed.push(args)
      return { ok: true, value: { ...args, depth: 1 } }
    },
  )
  expect(await dispatch([filling], aCall({ arguments: { path: 'a' } }))).toEqual(
    answer({ path: 'a', depth: 1 }),
  )
  expect(parsed).toEqual([{ path: 'a' }])
  const takesAll = tool('probe', async (args) => answer(args))
  expect(await dispatch([takesAll], aCall({ arguments: { path: 'a' } }))).toEqual(answer({ path: 'a' }))
})

test('a tool that throws our error answers with it; any other error is a crash without details', async () => {
  const ours = tool('probe', () => Promise.reject(new ContextdError('REF_EXPIRED')))
  expect(await dispatch([ours])).toMatchObject({
    isError: true,
    structured: { error: { code: 'REF_EXPIRED' } },
  })
  const theirs = tool('probe', () => Promise.reject(new Error('internal path /etc/x')))
  const result = await dispatch([theirs])
  expect(result).toMatchObject({ isError: true, structured: { error: { code: 'TOOL_FAILED' } } })
  expect(JSON.stringify(result)).not.toContain('/etc/x')
  expect(String(crashes.at(-1))).toContain('/etc/x')
})

test('a tool that must ask ends the call with the question', async () => {
  const question = { 'ask-1': { method: 'roots/list', params: {} } }
  const asking = tool('probe', () => Promise.reject(new InputNeeded(question)))
  expect(await dispatch([asking])).toEqual({ kind: 'input_required', requests: question })
})

test('the deadline ends the wait and aborts the tool', async () => {
  let told: unknown
  const slow = tool('probe', (_, host) => {
    host.call.signal.addEventListener('abort', () => (told = host.call.signal.reason))
    return new Promise(() => {})
  })
  expect(await dispatch([slow], aCall({ deadline: Date.now() + 250 }))).toMatchObject({
    structured: { error: { code: 'TIMEOUT' } },
  })
  expect(told).toMatchObject({ code: 'TIMEOUT' })
})

test.each([
  ['is up', -1, { structured: { error: { code: 'TIMEOUT' } } }, 0],
  ['is not up', 60_000, answer('done'), 1],
])('a call whose time %s', async (_, leftMs, result, runs) => {
  let ran = 0
  const quick = tool('probe', async () => {
    ran += 1
    return answer('done')
  })
  expect(await dispatch([quick], aCall({ deadline: Date.now() + leftMs }))).toMatchObject(result)
  expect(ran).toBe(runs)
})

test('cancelling by the client ends the wait and aborts the tool', async () => {
  const client = new AbortController()
  let told = false
  const slow = tool('probe', (_, host) => {
    host.call.signal.addEventListener('abort', () => (told = true))
    queueMicrotask(() => client.abort())
    return new Promise(() => {})
  })
  expect(await dispatch([slow], aCall({ signal: client.signal }))).toMatchObject({
    structured: { error: { code: 'CANCELLED' } },
  })
  expect(told).toBe(true)
  expect(await dispatch([slow], aCall({ signal: AbortSignal.abort() }))).toMatchObject({
    structured: { error: { code: 'CANCELLED' } },
  })
})

test('lists have the order of the catalogue', async () => {
  const listed = await dispatch(
    [tool('b', async () => answer(1)), tool('a', async () => answer(1))],
    aCall({ method: 'list', tool: 'tools' }),
  )
  expect(listed).toMatchObject({ kind: 'payload', value: { tools: [{ name: 'b' }, { name: 'a' }] } })
})

test('without prompts and resources, there are none', async () => {
  expect(await dispatch([], aCall({ method: 'prompt' }))).toMatchObject({ error: { code: 'NOT_FOUND' } })
  expect(await dispatch([], aCall({ method: 'resource' }))).toMatchObject({ error: { code: 'NOT_FOUND' } })
})
