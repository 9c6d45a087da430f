import { describe, expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import type { Scrub } from '../../core/ports.ts'
import { refusal } from '../../core/result.ts'
import { describeOutcome, describeRequest } from './call-record.ts'

const scrub: Scrub = (text) => ({ text: text.replaceAll('hunter2', '[SECRET_1]'), findings: [] })
const toolOf = (tool: string): string | undefined => describeRequest(aCall({ tool }), scrub).context.tool

describe('a long name', () => {
  const long = `hunter2${'x'.repeat(4_000_000)}`
  const kept = `[SECRET_1]${'x'.repeat(245)}…`

  test('is kept by its beginning, wherever it stands', () => {
    expect(kept).toHaveLength(256)
    const client = { name: long, version: long, door: 'http' } as const
    const call = aCall({ tool: long, server: long, client })
    const request = { tool: kept, server: kept, client: kept, client_version: kept }
    expect(describeRequest(call, scrub).context).toMatchObject(request)

    call.trail.principal = { agent: 'main', instance: long, level: 'declared' }
    call.trail.target = { server: long, tool: long }
    const outcome = describeOutcome(call, refusal('TOOL_NOT_FOUND', { name: long }), scrub, 100)
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
    const kept = (text: string) => describeRequest(aCall({ arguments: { text } }), scrub).asked?.arguments
    expect(kept('short')).toEqual({ text: 'short' })
    expect(kept('x'.repeat(20_000))).toHaveLength(16_384)
    expect(kept('x'.repeat(20_000))).toMatch(/^\{"text":"xxx/)
  })

  test('of a list are none', () => {
    const call = aCall({ method: 'list', tool: 'tools', arguments: { cursor: 'x' } })
    const { context, asked } = describeRequest(call, scrub)
    expect([context.method, asked?.arguments]).toEqual(['list', {}])
  })
})
