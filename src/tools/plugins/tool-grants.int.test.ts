import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test as anyTest } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { asksData, openStdioDoor, initialize, modernMeta } from '../../../test/support/stdio-door.ts'
import { dataOf, errorIn, toolRuntime, type ToolRuntime } from '../../../test/support/tool-runtime.ts'
import type { Ask } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'

const test = anyTest.runIf(sandboxHere)

let place: ToolRuntime
beforeEach(async () => {
  place = await toolRuntime()
  mkdirSync(join(place.project, 'out'))
})
afterEach(() => place.close())

const capability = 'fs:write:out/**'
const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'require', params: { capability } })
/** Asks for what it needs, and uses it. */
const writer = {
  name: 'writer',
  optional: [capability],
  script: `echo '${request}' >&3; read -r -u 3 answer; echo "$answer" >&2; touch "$CONTEXTD_WORKSPACE/out/written" && echo done`,
}
const written = (): boolean => existsSync(join(place.project, 'out/written'))

/** A client whose person always says this. */
function asker(grant: string): Ask & { count: number } {
  const ask = Object.assign(
    async (): Promise<JsonObject> => {
      ask.count += 1
      return { action: 'accept', content: { grant } }
    },
    { kinds: ['elicitation'] as const, waits: true, count: 0 },
  )
  return ask
}

describe('a tool that wants more than it was approved with', () => {
  test('ends before it gets on, and the same call again says what to do', async () => {
    await place.approved(writer)
    const first = errorIn(await place.call('writer'))
    expect(first).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      hint:
        'The tool writer wants to read and write files below out/, which nobody has approved. ' +
        "Ask the user to run `ctxd tool approve writer --grant 'fs:write:out/**'`.",
    })
    const again = await place.call('writer')
    expect(again).toMatchObject({ kind: 'refusal', error: { code: 'APPROVAL_REQUIRED' } })
    expect(written()).toBe(false)
  })

  test('has it once a person has granted it on the terminal', async () => {
    await place.approved(writer)
    await place.call('writer')
    await place.approve('writer', [capability])
    expect(dataOf(await place.call('writer'))).toBe('done\n')
    expect(written()).toBe(true)
  })

  test('gets it for one call, for the session or permanently, as the user answers', async () => {
    await place.approved(writer)
    const once = asker('once')
    const session = asker('session')
    expect(errorIn(await place.call('writer', {}, { ask: once }))).toMatchObject({
      hint: expect.stringContaining(
        'Call it again with the same arguments: the user is asked then.',
      ) as string,
    })
    expect([once.count, written()]).toEqual([0, false])
    expect(dataOf(await place.call('writer', {}, { ask: once }))).toBe('done\n')
    rmSync(join(place.project, 'out/written'))
    expect(errorIn(await place.call('writer')).code).toBe('APPROVAL_REQUIRED')
    expect(written()).toBe(false)
    expect(dataOf(await place.call('writer', {}, { ask: session }))).toBe('done\n')
    expect(dataOf(await place.call('writer', { other: 1 }))).toBe('done\n')
    expect([once.count, session.count]).toEqual([1, 1])
    const elsewhere = { session: 'another' }
    expect(errorIn(await place.call('writer', {}, elsewhere)).code).toBe('APPROVAL_REQUIRED')
    expect(dataOf(await place.call('writer', {}, { ...elsewhere, ask: asker('always') }))).toBe('done\n')
    expect(dataOf(await place.call('writer', {}, { session: 'a third' }))).toBe('done\n')
    const events = place.records.audit
      .query({ kind: 'event' })
      .map(({ event, details }) => [event, details?.answer])
    expect(events.filter(([event]) => event === 'tool-granted')).toEqual([
      ['tool-granted', 'always'],
      ['tool-granted', 'session'],
      ['tool-granted', 'once'],
    ])
  })

  test('does not get it if the user says no, and does not ask again', async () => {
    await place.approved(writer)
    const ask = asker('no')
    const hints: unknown[] = []
    for (let n = 0; n < 4; n++) {
      const error = errorIn(await place.call('writer', {}, { ask }))
      expect(error.code).toBe('APPROVAL_REQUIRED')
      hints.push(error.hint)
    }
    expect(hints.at(-1)).toMatch(/nobody has approved\. The user said no for this session\.$/)
    expect([ask.count, written()]).toEqual([1, false])
  })

  test('gets nothing that its package does not even mention', async () => {
    await place.approved({ ...writer, optional: [] })
    const ask = asker('always')
    for (let n = 0; n < 2; n++) {
      const error = errorIn(await place.call('writer', {}, { ask }))
      expect(error.hint).toContain('does not list it as optional')
    }
    expect([ask.count, written()]).toEqual([0, false])
  })

  test('is asked about through a client that takes questions while it waits', async () => {
    await place.approved(writer)
    const door = openStdioDoor(place.runtime)
    door.send({ ...initialize, params: { ...initialize.params, capabilities: { elicitation: {} } } })
    await door.answer('init')
    door.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const call = (id: number): void =>
      door.send({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'writer', arguments: {}, _meta: asksData },
      })
    call(1)
    expect(await door.answer(1)).toMatchObject({ result: { isError: true } })
    call(2)
    const question = await door.next(({ method }) => method === 'elicitation/create')
    expect(question.params).toMatchObject({
      message: 'The tool writer wants to read and write files below out/. Allow it?',
    })
    expect(written()).toBe(false)
    door.send({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { grant: 'once' } } })
    expect(await door.answer(2)).toMatchObject({ result: { structuredContent: { data: 'done\n' } } })
    expect(written()).toBe(true)
    door.hangUp()
    await door.ended
  })

  test('is asked about through a client that comes back with the answer', async () => {
    await place.approved(writer)
    const door = openStdioDoor(place.runtime)
    const _meta = {
      ...modernMeta,
      ...asksData,
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    }
    const call = async (id: number, more: object = {}): Promise<JsonObject> => {
      door.send({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'writer', arguments: {}, _meta, ...more },
      })
      const { result } = await door.answer(id)
      return result as JsonObject
    }
    expect(await call(1)).toMatchObject({ isError: true })
    const asked = await call(2)
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'dev.contextd/ask-1': { method: 'elicitation/create' } },
    })
    expect(written()).toBe(false)
    const inputResponses = { 'dev.contextd/ask-1': { action: 'accept', content: { grant: 'session' } } }
    expect(
      await call(3, {
        inputResponses,
        ...(asked.requestState !== undefined && { requestState: asked.requestState }),
      }),
    ).toMatchObject({
      structuredContent: { data: 'done\n' },
    })
    expect(written()).toBe(true)
    door.hangUp()
    await door.ended
  })
})
