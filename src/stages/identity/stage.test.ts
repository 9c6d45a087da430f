import { expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import type { Call } from '../../core/call.ts'
import { answer } from '../../core/result.ts'
import { identityStage } from './stage.ts'

const stage = identityStage(() => ({
  resolveAgent: (name) => (name === 'front' || name === 'default' ? name : undefined),
  denyOnMissing: false,
}))

async function passed(call: Call): Promise<Call | undefined> {
  let seen: Call | undefined
  await stage(call, async (next) => {
    seen = next
    return answer('ok')
  })
  return seen
}

test("agent_id names the caller and is removed from our tools' arguments", async () => {
  const call = aCall({ arguments: { agent_id: 'front', ref: 'x' } })
  const seen = await passed(call)
  expect(seen?.principal).toEqual({ agent: 'front', level: 'declared' })
  expect(seen?.arguments).toEqual({ ref: 'x' })
  expect(call.trail.principal).toEqual({ agent: 'front', level: 'declared' })
})

test('an upstream tool keeps its own agent_id argument', async () => {
  const seen = await passed(aCall({ server: 'crm', arguments: { agent_id: '007' } }))
  expect(seen?.principal).toEqual({ agent: 'default', level: 'default' })
  expect(seen?.arguments).toEqual({ agent_id: '007' })
})

test("branch_id names the branch and is removed from our tools' arguments; anything but a string matches none", async () => {
  const seen = await passed(aCall({ arguments: { branch_id: 'br_1', ref: 'x' } }))
  expect([seen?.claims.branch, seen?.arguments]).toEqual(['br_1', { ref: 'x' }])
  expect((await passed(aCall({ arguments: { branch_id: 7 } })))?.claims.branch).toBe('')
  const both = await passed(aCall({ claims: { branch: 'br_meta' }, arguments: { branch_id: 'br_1' } }))
  expect(both?.claims.branch).toBe('br_1')
  expect((await passed(aCall({ claims: { branch: 'br_meta' } })))?.claims.branch).toBe('br_meta')
  const upstream = await passed(aCall({ server: 'crm', arguments: { branch_id: 'main' } }))
  expect([upstream?.claims, upstream?.arguments]).toEqual([{}, { branch_id: 'main' }])
})

test('before any agent is identified, a client may list, but nothing else', async () => {
  const strict = identityStage(() => ({ resolveAgent: () => undefined, denyOnMissing: true }))
  const list = await strict(aCall({ method: 'list', tool: 'tools' }), async (call) => {
    expect(call.principal).toBeUndefined()
    return answer('listed')
  })
  expect(list).toEqual(answer('listed'))
  const refused = { kind: 'refusal', error: { code: 'IDENTITY_REQUIRED' } }
  expect(await strict(aCall(), () => Promise.reject(new Error('must not be reached')))).toMatchObject(refused)
  const wrongName = aCall({ method: 'list', tool: 'tools', claims: { declared: 'nobody' } })
  expect(await strict(wrongName, () => Promise.reject(new Error('must not be reached')))).toMatchObject({
    error: { code: 'INVALID_AGENT_ID' },
  })
})

test('a refusal goes no further and does not repeat what was claimed', async () => {
  const call = aCall({ arguments: { agent_id: 'intruder-name' } })
  expect(await passed(call)).toBeUndefined()
  const result = await stage(call, () => Promise.reject(new Error('must not be reached')))
  expect(result).toMatchObject({ kind: 'refusal', error: { code: 'INVALID_AGENT_ID' } })
  expect(JSON.stringify(result)).not.toContain('intruder-name')
})

test('the operator controls contextd, and is an ordinary agent for everything else', async () => {
  const claims = { operator: true } as const
  const steering = { server: 'control', tool: 'audit.query', claims }
  expect((await passed(aCall(steering)))?.principal).toEqual({ agent: '@operator', level: 'token' })
  expect((await passed(aCall({ claims })))?.principal).toEqual({ agent: 'default', level: 'default' })
  const named = await passed(aCall({ ...steering, claims: { operator: true, declared: 'front' } }))
  expect(named?.principal).toEqual({ agent: 'front', level: 'declared' })
  const token = { id: 't', agent: 'front' }
  expect((await passed(aCall({ ...steering, claims: { token } })))?.principal?.agent).toBe('front')
})

test('claiming to be the operator has no effect', async () => {
  for (const claims of [{ declared: '@operator' }, { operator: true, declared: '@operator' }] as const) {
    expect(await passed(aCall({ server: 'control', claims }))).toBeUndefined()
  }
  expect(await passed(aCall({ arguments: { agent_id: '@operator' } }))).toBeUndefined()
})
