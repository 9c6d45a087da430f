import { hash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { checkHere } from '../../../test/support/checks.ts'
import { aTool } from '../../../test/support/door-tools.ts'
import { nothingPrivate } from '../../../test/support/nothing-private.ts'
import type { PrivateContext, Scrub } from '../../core/ports.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { answer, refusal, type Result } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { describeOutcome, describeRequest } from './call-record.ts'

const scrub: Scrub = (text) => ({ text: text.replaceAll('hunter2', '[SECRET_1]'), findings: [] })
const plain = { check: checkHere({ scrub, privacy: nothingPrivate }), outputChars: 100 }
const toolOf = async (tool: string) => (await describeRequest(aCall({ tool }), plain)).context.tool
const argumentsOf = async (...request: Parameters<typeof describeRequest>) => {
  const { asked } = await describeRequest(...request)
  return typeof asked === 'object' ? asked.arguments : asked
}
const recordedAs = (forRecord: NonNullable<Tool['forRecord']>): Tool => ({
  ...aTool('probe', async () => answer('')),
  forRecord,
})

describe('a long name', () => {
  const long = `hunter2${'x'.repeat(4_000_000)}`
  const kept = `[SECRET_1]${'x'.repeat(245)}…`

  test('is kept by its beginning, wherever it stands', async () => {
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

  test('is scrubbed before it is cut, so that no half of a secret stays', async () => {
    expect(await toolOf(`${'x'.repeat(252)}hunter2`)).toBe(`${'x'.repeat(252)}[SE…`)
  })

  test('of just that length is kept whole', async () => {
    expect(await toolOf('x'.repeat(256))).toBe('x'.repeat(256))
    expect(await toolOf('x'.repeat(257))).toBe(`${'x'.repeat(255)}…`)
  })
})

describe('the arguments', () => {
  test('are kept whole, or by their beginning where they are long', async () => {
    const kept = (text: string) => argumentsOf(aCall({ arguments: { text } }), plain)
    expect(await kept('short')).toEqual({ text: 'short' })
    expect(await kept('x'.repeat(20_000))).toHaveLength(16_384)
    expect(await kept('x'.repeat(20_000))).toMatch(/^\{"text":"xxx/)
  })

  test('of a list are none', async () => {
    const call = aCall({ method: 'list', tool: 'tools', arguments: { cursor: 'x' } })
    const { context } = await describeRequest(call, plain)
    expect([context.method, await argumentsOf(call, plain)]).toEqual(['list', {}])
  })
})

describe('what agents were given for themselves', () => {
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

  test('stands in no record of a request, not even of its owner', async () => {
    const call = aCall({
      ...owner,
      tool: 'Bluebird',
      arguments: { text: 'Bluebird is hunter2', Bluebird: 1 },
    })
    const { context, asked } = await describeRequest(call, checks)
    expect(context.tool).toBe('[PRIVATE]')
    expect(asked).toEqual({
      arguments: { text: '[PRIVATE]', '[PRIVATE]': 1 },
      findings: [{ layer: 'arguments', rule: 'private-context', count: 3 }],
    })
    expect(await argumentsOf({ ...call, session: 'session-2' }, checks)).toEqual({
      text: 'Bluebird is [SECRET_1]',
      Bluebird: 1,
    })
  })

  test('stands in no record of an outcome, and neither does its hash', async () => {
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

  test('and that is meant for its caller alone is not kept at all', async () => {
    const result = answer('Jay', { blocks: [{ type: 'text', text: 'Jay' }], isPrivate: true })
    const record = await said(result)
    expect(record).toMatchObject({
      output_bytes: 3,
      notes: ['the answer is private context and is not kept'],
    })
    expect([record.output, record.output_sha256]).toEqual([undefined, undefined])
    const open = await said({ ...answer('Jay'), content: [{ type: 'text', text: 'Jay' }] })
    expect(open.output).toBe('Jay')
  })

  test('what a tool says of its arguments stands in their place, checked like them', async () => {
    const call = aCall({ arguments: { key: 'ctx_1' } })
    const resolvedTool = recordedAs(() => ({ key: 'hash of it', by: 'Bluebird' }))
    expect(await argumentsOf({ ...call, resolvedTool }, checks)).toEqual({
      key: 'hash of it',
      by: '[PRIVATE]',
    })
    expect(await argumentsOf(call, checks)).toEqual({ key: 'ctx_1' })
  })

  test('nothing goes on that could not be checked', async () => {
    const fail = (): never => {
      throw new Error('the store is gone')
    }
    const check = checkHere({ scrub, privacy: { mask: fail } })
    expect((await describeRequest(aCall(), { ...plain, check })).asked).toBe('SCRUB_FAILED')
    const failing = aCall({ resolvedTool: recordedAs(fail) })
    expect((await describeRequest(failing, plain)).asked).toBe('SCRUB_FAILED')
    const toModel = aCall({ method: 'model' })
    expect((await describeRequest(toModel, { ...plain, check })).asked).toBe('MODEL_REQUEST_UNCHECKED')
    await expect(describeOutcome(aCall(), answer('x'), { ...checks, check })).rejects.toThrow('gone')
  })

  test('nor what its caller has no room for, which is told as what it is', async () => {
    const check = (): never => {
      throw new ContextdError('SCRUB_QUEUE_FULL')
    }
    expect((await describeRequest(aCall(), { ...plain, check })).asked).toBe('SCRUB_QUEUE_FULL')
    expect((await describeRequest(aCall(), plain)).asked).toBeTypeOf('object')
  })
})
