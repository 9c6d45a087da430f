import { describe, expect, it } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { agentRules } from '../../../test/support/policy-rules.ts'
import type { Ask, Call } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ApprovalNeeded, Approvals } from '../../core/ports.ts'
import { answer, InputNeeded } from '../../core/result.ts'
import { policyStage } from './stage.ts'

const rules = agentRules({ allow: { servers: ['contextd'] } })
const wish: ApprovalNeeded = {
  why: 'It wants more.',
  command: 'ctxd tool approve probe',
  question: 'May it?',
}

function asker(
  reply: () => JsonObject | Promise<JsonObject>,
  kinds: Ask['kinds'] = ['elicitation'],
): Ask & { asked: JsonObject[] } {
  const asked: JsonObject[] = []
  const ask = async ({ params }: { params: JsonObject }): Promise<JsonObject> => {
    asked.push(params)
    return reply()
  }
  return Object.assign(ask, { kinds, waits: true, asked })
}

const said = (grant: string): JsonObject => ({ action: 'accept', content: { grant } })

/** Sends a call through the policy stage; `now` is the clock's time. */
async function send(needed: ApprovalNeeded | undefined, parts: Partial<Call> = {}, clock = () => 1000) {
  const answers: string[] = []
  const approvals: Approvals = { needed: () => needed, answered: (_, __, given) => void answers.push(given) }
  const stage = policyStage({ rules: () => rules, catalogue: { find: () => undefined }, clock, approvals })
  const call = aCall({ principal: { agent: 'a', level: 'attested' }, deadline: 5000, ...parts })
  let passed: Call | undefined
  const outcome = await stage(call, async (next) => {
    passed = next
    return answer('done')
  })
  return { outcome, passed, answers, trail: call.trail }
}

it('passes calls that need no approval, and lists', async () => {
  expect((await send(undefined)).passed).toBeDefined()
  expect((await send(wish, { method: 'list', tool: 'tools' })).passed).toBeDefined()
})

it.each(['once', 'session', 'always'])('passes what the user allows: %s', async (grant) => {
  const ask = asker(() => said(grant))
  const { passed, answers, trail } = await send(wish, { ask })
  expect([passed !== undefined, answers, trail.decision]).toEqual([true, [grant], 'allow'])
  expect(ask.asked).toEqual([
    {
      message: 'May it?',
      requestedSchema: {
        type: 'object',
        properties: {
          grant: expect.objectContaining({ enum: ['once', 'session', 'always', 'no'] }) as object,
        },
        required: ['grant'],
      },
    },
  ])
})

describe('refuses with the command to run', () => {
  const refusedWith = {
    kind: 'refusal',
    error: {
      code: 'APPROVAL_REQUIRED',
      hint: 'It wants more. Ask the user to run `ctxd tool approve probe`.',
      command: 'ctxd tool approve probe',
    },
  }
  it.each<[string, Ask | undefined, string[]]>([
    ['nobody can be asked', undefined, []],
    ['the client takes no such questions', asker(() => said('always'), ['sampling']), []],
    ['the person looks away', asker(() => ({ action: 'cancel' })), []],
    ['the client makes something up', asker(() => said('forever')), []],
    ['the client accepts without a word', asker(() => ({ action: 'accept' })), []],
    ['the client fails', asker(() => Promise.reject(new Error('gone'))), []],
  ])('if %s', async (_, ask, recorded) => {
    const { outcome, passed, answers, trail } = await send(wish, ask && { ask })
    expect(outcome).toMatchObject(refusedWith)
    expect([passed, answers, trail.decision]).toEqual([undefined, recorded, 'deny'])
  })

  it.each<[string, Ask]>([
    ['says no', asker(() => said('no'))],
    ['declines', asker(() => ({ action: 'decline' }))],
  ])('but not if the user %s', async (_, ask) => {
    const { outcome, passed, answers } = await send(wish, { ask })
    const hint = 'It wants more. The user said no for this session.'
    expect(outcome).toMatchObject({ kind: 'refusal', error: { code: 'APPROVAL_REQUIRED', hint } })
    expect([passed, answers]).toEqual([undefined, ['no']])
  })

  it('if approval is only possible in the terminal', async () => {
    const ask = asker(() => said('always'))
    const { question: _, ...terminalOnly } = wish
    expect((await send(terminalOnly, { ask })).outcome).toMatchObject(refusedWith)
    expect(ask.asked).toEqual([])
  })

  it('if the answer comes too late', async () => {
    const ask = asker(() => new Promise(() => {}))
    expect((await send(wish, { ask, deadline: 1001 })).outcome).toMatchObject(refusedWith)
  })
})

it('returns the question to a client that repeats the call with the answer', async () => {
  const requests = { 'ask-1': { method: 'elicitation/create', params: {} } }
  const ask = asker(() => Promise.reject(new InputNeeded(requests)))
  const { outcome, passed, answers } = await send(wish, { ask })
  expect(outcome).toEqual({ kind: 'input_required', requests })
  expect([passed, answers]).toEqual([undefined, []])
})

it("does not count the user's time towards the tool's timeout", async () => {
  let now = 1000
  const ask = asker(() => {
    now = 4500
    return said('once')
  })
  const { passed } = await send(wish, { ask }, () => now)
  expect(passed?.deadline).toBe(8500)
})

it('does not proceed if the answer cannot be recorded', async () => {
  const approvals: Approvals = {
    needed: () => wish,
    answered: () => {
      throw new Error('disk full')
    },
  }
  const stage = policyStage({
    rules: () => rules,
    catalogue: { find: () => undefined },
    clock: () => 0,
    approvals,
  })
  const call = aCall({
    principal: { agent: 'a', level: 'attested' },
    ask: asker(() => said('always')),
    deadline: 5000,
  })
  await expect(stage(call, () => expect.fail('went on'))).rejects.toThrow('disk full')
})
