import { describe, expect, it } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { agentRules } from '../../../test/support/policy-rules.ts'
import type { Principal } from '../../core/call.ts'
import { createAccess } from './access.ts'

const principal: Principal = { agent: 'a', level: 'declared' }
const rules = agentRules({
  allow: { servers: ['db', 'mail'], tools: { db: ['read_*'] }, prompts: { db: ['ask'] } },
  deny: { servers: ['mail'], tools: { db: ['read_secret'] } },
})
const access = createAccess(() => rules)

describe('what a caller may use', () => {
  it.each([
    ['tool', 'read_rows', true],
    ['tool', 'read_secret', false],
    ['tool', 'drop', false],
    ['prompt', 'ask', true],
    ['prompt', 'other', false],
    ['resource', 'db://any', true],
  ] as const)('the %s %s: %s', (method, tool, may) => {
    expect(access.mayUse({ principal }, { method, server: 'db', tool })).toBe(may)
  })

  it('is what any agent may use if no agent is named yet', () => {
    const target = { method: 'tool', server: 'db', tool: 'read_rows' } as const
    expect(access.mayUse({}, target)).toBe(true)
    expect(access.mayUse({}, { ...target, tool: 'drop' })).toBe(false)
  })
})

describe('the servers a caller may know of', () => {
  it('are those that are allowed and not denied', () => {
    const seen = ['db', 'mail', 'other'].filter((server) => access.maySee({ principal }, server))
    expect(seen).toEqual(['db'])
  })

  it('others are refused with the deciding rule', () => {
    const call = aCall({ principal })
    expect(access.refuse(call, 'mail')).toMatchObject({
      error: { code: 'DENIED_BY_POLICY', server: 'mail', rule: 'agents.a.deny.servers[0]' },
    })
    expect(access.refuse(call, 'other')).toMatchObject({ error: { rule: 'agents.a.allow.servers' } })
    expect(call.trail).toMatchObject({ decision: 'deny', rule: 'agents.a.allow.servers' })
  })

  it('are none without the identity that the rules require', () => {
    const strict = createAccess(() => agentRules({ require: 'token', allow: { servers: ['*'] } }))
    expect(strict.maySee({ principal }, 'db')).toBe(false)
    expect(strict.maySee({ principal: { ...principal, level: 'token' } }, 'db')).toBe(true)
  })
})
