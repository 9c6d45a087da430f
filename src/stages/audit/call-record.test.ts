import { hash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { nothingPrivate } from '../../../test/support/nothing-private.ts'
import type { PrivateContext, Scrub } from '../../core/ports.ts'
import { answer, refusal, type Result } from '../../core/result.ts'
import { describeOutcome, describeRequest } from './call-record.ts'

const scrub: Scrub = (text) => ({ text: text.replaceAll('hunter2', '[SECRET_1]'), findings: [] })
const plain = { scrub, privacy: nothingPrivate, outputChars: 100 }
const toolOf = (tool: string): string | undefined => describeRequest(aCall({ tool }), plain).context.tool

describe('a long name', () => {
  const long = `hunter2${'x'.repeat(4_000_000)}`
  const kept = `[SECRET_1]${'x'.repeat(245)}…`

  test('is kept by its beginning, wherever it stands', () => {
    expect(kept).toHaveLength(256)
    const client = { name: long, version: long, door: 'http' } as const
    const call = aCall({ tool: long, server: long, client })
    const request = { tool: kept, server: kept, client: kept, client_version: kept }
    expect(describeRequest(call, plain).context).toMatchObject(request)

    call.trail.principal = { agent: 'main', instance: long, level: 'declared' }
    call.trail.target = { server: long, tool: long }
    const outcome = describeOutcome(call, refusal('TOOL_NOT_FOUND', { name: long }), plain)
    expect(outcome).toMatchObject({ instance: kept, target_server: kept, target_tool: kept })
    expect(JSON.stringify(outcome).length).toBeLessThan(2000)
  })

  test('is scrubbed before it is cut, so that no half of a secret stays', () => {
    expect(toolOf(`${'x'.repeat(252)}hunter2`)).toBe(`${'x'.repeat(252)}[SE…`)
  })

  test('of just that length is kept whole', () => {
    expect(toolOf('x'.repeat(256))).toBe('x'.repeat(256))
    expect(toolOf('x'.repeat(257))).toBe(`${'x'.repeat(255)}…`)
  })
})

describe('the arguments', () => {
  test('are kept whole, or by their beginning where they are long', () => {
    const kept = (text: string) => describeRequest(aCall({ arguments: { text } }), plain).asked?.arguments
    expect(kept('short')).toEqual({ text: 'short' })
    expect(kept('x'.repeat(20_000))).toHaveLength(16_384)
    expect(kept('x'.repeat(20_000))).toMatch(/^\{"text":"xxx/)
  })

  test('of a list are none', () => {
    const call = aCall({ method: 'list', tool: 'tools', arguments: { cursor: 'x' } })
    const { context, asked } = describeRequest(call, plain)
    expect([context.method, asked?.arguments]).toEqual(['list', {}])
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
  const checks = { scrub, privacy, outputChars: 100 }
  const owner = { claims: { attested: { agent: 'scanner', instance: 'a1' } } } as const
  const said = (result: Result) => describeOutcome(aCall(owner), result, checks)
  const block = { type: 'text', text: 'by Bluebird' }

  test('stands in no record of a request, not even of its owner', () => {
    const call = aCall({
      ...owner,
      tool: 'Bluebird',
      arguments: { text: 'Bluebird is hunter2', Bluebird: 1 },
    })
    const { context, asked } = describeRequest(call, checks)
    expect(context.tool).toBe('[PRIVATE]')
    expect(asked).toEqual({
      arguments: { text: '[PRIVATE]', '[PRIVATE]': 1 },
      findings: [{ layer: 'arguments', rule: 'private-context', count: 3 }],
    })
    expect(describeRequest({ ...call, session: 'session-2' }, checks).asked?.arguments).toEqual({
      text: 'Bluebird is [SECRET_1]',
      Bluebird: 1,
    })
  })

  test('stands in no record of an outcome, and neither does its hash', () => {
    for (const result of [
      answer('by Bluebird', { blocks: [block] }),
      { kind: 'answer', own: false, content: [block] } as Result,
    ]) {
      const { output, output_sha256 } = said(result)
      expect(output).toBe('by [PRIVATE]')
      expect(output_sha256).toBe(hash('sha256', 'by [PRIVATE]'))
    }
    expect(said(refusal('NOT_FOUND', { what: 'Bluebird is hunter2' })).output).toContain('no [PRIVATE]')
  })

  test('and that is meant for its caller alone is not kept at all', () => {
    const result = answer('Jay', { blocks: [{ type: 'text', text: 'Jay' }], isPrivate: true })
    const record = said(result)
    expect(record).toMatchObject({
      output_bytes: 3,
      notes: ['the answer is private context and is not kept'],
    })
    expect([record.output, record.output_sha256]).toEqual([undefined, undefined])
    expect(said({ ...answer('Jay'), content: [{ type: 'text', text: 'Jay' }] }).output).toBe('Jay')
  })

  test('what a tool says of its arguments stands in their place, checked like them', () => {
    const call = aCall({ arguments: { key: 'ctx_1' } })
    const recorded = () => ({ key: 'hash of it', by: 'Bluebird' })
    expect(describeRequest(call, { ...checks, recorded }).asked?.arguments).toEqual({
      key: 'hash of it',
      by: '[PRIVATE]',
    })
    expect(describeRequest(call, checks).asked?.arguments).toEqual({ key: 'ctx_1' })
  })

  test('nothing goes on that could not be checked', () => {
    const fail = (): never => {
      throw new Error('the store is gone')
    }
    expect(describeRequest(aCall(), { ...plain, privacy: { mask: fail } }).asked).toBeUndefined()
    expect(describeRequest(aCall(), { ...plain, recorded: fail }).asked).toBeUndefined()
    expect(() => describeOutcome(aCall(), answer('x'), { ...checks, privacy: { mask: fail } })).toThrow(
      'gone',
    )
  })
})
