import { hash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { checkHere } from '../../../test/support/checks.ts'
import { aTool } from '../../../test/support/door-tools.ts'
import { nothingPrivate } from '../../../test/support/nothing-private.ts'
import type { PrivateContext, Scrub } from '../../core/ports.ts'
import { ContextdError, describeError } from '../../core/errors/errors.ts'
import { answer, failure, refusal, type Result } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { describeOutcome, describeRequest, resultText } from './call-record.ts'

const scrub: Scrub = (text) => ({ text: text.replaceAll('hunter2', '[SECRET_1]'), findings: [] })
const plain = { check: checkHere({ scrub, privacy: nothingPrivate }), outputChars: 100 }
const toolOf = async (tool: string) => (await describeRequest(aCall({ tool }), plain)).context.tool
const argumentsOf = async (...request: Parameters<typeof describeRequest>) => {
  const { request: described } = await describeRequest(...request)
  return typeof described === 'object' ? described.arguments : described
}
const recordedAs = (forRecord: NonNullable<Tool['forRecord']>): Tool => ({
  ...aTool('probe', async () => answer('')),
  forRecord,
})

describe('a long name', () => {
  const long = `hunter2${'x'.repeat(4_000_000)}`
  const kept = `[SECRET_1]${'x'.repeat(245)}…`

  test('is truncated in every field', async () => {
    expect(kept).toHaveLength(256)
    const client = { name: long, version: long, door: 'http' } as const
    const call = aCall({ tool: long, server: long, client })
    const request = { tool: kept, server: kept, client: kept, client_version: kept }
    expect((await describeRequest(call, plain)).context).toMatchObject(request)

    call.trail.principal = { agent: 'main', instance: long, level: 'declared' }
    call.trail.target = { server: long, tool: long }
    const outcome = await describeOutcome(call, refusal('TOOL_NOT_FOUND', { name: long }), plain)
    expect(outcome).toMatchObject({ instance: kept, target_server: kept, target_tool: kept })
    expect(JSON.stringify(outcome).length).toBeLessThan(2000)
  })

  test('is scrubbed before it is truncated, so that no partial secret remains', async () => {
    expect(await toolOf(`${'x'.repeat(252)}hunter2`)).toBe(`${'x'.repeat(252)}[SE…`)
  })

  test('of exactly the maximum length is not truncated', async () => {
    expect(await toolOf('x'.repeat(256))).toBe('x'.repeat(256))
    expect(await toolOf('x'.repeat(257))).toBe(`${'x'.repeat(255)}…`)
  })
})

describe('the arguments', () => {
  test('are recorded, truncated if they are long', async () => {
    const kept = (text: string) => argumentsOf(aCall({ arguments: { text } }), plain)
    expect(await kept('short')).toEqual({ text: 'short' })
    expect(await kept('x'.repeat(20_000))).toHaveLength(16_384)
    expect(await kept('x'.repeat(20_000))).toMatch(/^\{"text":"xxx/)
  })

  test('of a list are not recorded', async () => {
    const call = aCall({ method: 'list', tool: 'tools', arguments: { cursor: 'x' } })
    const { context } = await describeRequest(call, plain)
    expect([context.method, await argumentsOf(call, plain)]).toEqual(['list', {}])
  })
})

describe('private context', () => {
  const privacy: Pick<PrivateContext, 'mask'> = {
    mask: (text, session, caller) => {
      if (session !== 'session-1' || caller !== undefined) return { text, findings: [] }
      const findings = [...text.matchAll(/Bluebird(?: is hunter2)?/g)].map(({ index, 0: { length } }) => ({
        rule: 'private-context',
        start: index,
        end: index + length,
        token: '[PRIVATE]',
      }))
      return { text: text.replaceAll(/Bluebird(?: is hunter2)?/g, '[PRIVATE]'), findings }
    },
  }
  const checks = { check: checkHere({ scrub, privacy }), outputChars: 100 }
  const owner = { claims: { attested: { agent: 'scanner', instance: 'a1' } } } as const
  const said = (result: Result) => describeOutcome(aCall(owner), result, checks)
  const block = { type: 'text', text: 'by Bluebird' }

  test('is not in the record of a request, not even for its owner', async () => {
    const call = aCall({
      ...owner,
      tool: 'Bluebird',
      arguments: { text: 'Bluebird is hunter2', Bluebird: 1 },
    })
    const { context, request: described } = await describeRequest(call, checks)
    expect(context.tool).toBe('[PRIVATE]')
    expect(described).toEqual({
      arguments: { text: '[PRIVATE]', '[PRIVATE]': 1 },
      findings: [{ layer: 'arguments', rule: 'private-context', count: 3 }],
    })
    expect(await argumentsOf({ ...call, session: 'session-2' }, checks)).toEqual({
      text: 'Bluebird is [SECRET_1]',
      Bluebird: 1,
    })
  })

  test('is not in the record of an outcome, and neither is its hash', async () => {
    for (const result of [
      answer('by Bluebird', { blocks: [block] }),
      { kind: 'answer', own: false, content: [block] } as Result,
    ]) {
      const { output, output_sha256 } = await said(result)
      expect(output).toBe('by [PRIVATE]')
      expect(output_sha256).toBe(hash('sha256', 'by [PRIVATE]'))
    }
    const refused = await said(refusal('NOT_FOUND', { what: 'Bluebird is hunter2' }))
    expect(refused.output).toContain('no [PRIVATE]')
  })

  test('is not recorded if it is the answer itself', async () => {
    const result = answer('Jay', { blocks: [{ type: 'text', text: 'Jay' }], isPrivate: true })
    const record = await said(result)
    expect(record).toMatchObject({
      output_bytes: 3,
      notes: ['the answer is private context and is not stored'],
    })
    expect([record.output, record.output_sha256]).toEqual([undefined, undefined])
    const open = await said({ ...answer('Jay'), content: [{ type: 'text', text: 'Jay' }] })
    expect(open.output).toBe('Jay')
  })

  test("a tool's own description of its arguments is recorded in their place, and checked like them", async () => {
    const call = aCall({ arguments: { key: 'ctx_1' } })
    const resolvedTool = recordedAs(() => ({ key: 'hash of it', by: 'Bluebird' }))
    expect(await argumentsOf({ ...call, resolvedTool }, checks)).toEqual({
      key: 'hash of it',
      by: '[PRIVATE]',
    })
    expect(await argumentsOf(call, checks)).toEqual({ key: 'ctx_1' })
  })

  test('a request that cannot be checked does not proceed', async () => {
    const fail = (): never => {
      throw new Error('the store is gone')
    }
    const check = checkHere({ scrub, privacy: { mask: fail } })
    expect((await describeRequest(aCall(), { ...plain, check })).request).toBe('SCRUB_FAILED')
    const failing = aCall({ resolvedTool: recordedAs(fail) })
    expect((await describeRequest(failing, plain)).request).toBe('SCRUB_FAILED')
    const toModel = aCall({ method: 'model' })
    expect((await describeRequest(toModel, { ...plain, check })).request).toBe('MODEL_REQUEST_UNCHECKED')
    await expect(describeOutcome(aCall(), answer('x'), { ...checks, check })).rejects.toThrow('gone')
  })

  test('a request does not proceed if the queue is full, and says so', async () => {
    const check = (): never => {
      throw new ContextdError('SCRUB_QUEUE_FULL')
    }
    expect((await describeRequest(aCall(), { ...plain, check })).request).toBe('SCRUB_QUEUE_FULL')
    expect((await describeRequest(aCall(), plain)).request).toBeTypeOf('object')
  })
})

describe('the text of a result', () => {
  const theirs = (extra: object): Result => ({ kind: 'answer', own: false, content: [], ...extra })

  test.each<[string, Result, string]>([
    [
      'text blocks',
      theirs({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
      'a\nb',
    ],
    [
      'other blocks',
      theirs({ content: [{ type: 'image', data: 'AA==' }] }),
      '{"type":"image","data":"AA=="}',
    ],
    [
      'a structured part',
      theirs({ content: [{ type: 'text', text: 'a' }], structured: { b: 1 } }),
      'a\n{"b":1}',
    ],
    ['our own text, which says the same', answer({ b: 1 }, { blocks: [{ type: 'text', text: 'a' }] }), 'a'],
    ['our own data without text', answer({ b: 1 }), '{"data":{"b":1}}'],
    ['a payload', { kind: 'payload', value: { tools: [] } }, '{"tools":[]}'],
    ['questions', { kind: 'input_required', requests: { q: {} } }, '{"q":{}}'],
  ])('%s', (_, result, expected) => expect(resultText(result)).toBe(expected))

  test('contains errors, as values and as answers', () => {
    expect(resultText(refusal('TIMEOUT', { limit_ms: 5 }))).toContain('"code":"TIMEOUT"')
    expect(resultText(failure(describeError('TIMEOUT', { limit_ms: 5 })))).toContain(
      'TIMEOUT: The call took longer',
    )
  })
})
