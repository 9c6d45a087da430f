import { expect, it } from 'vitest'

import { rulesOf } from '../../../test/support/policy-rules.ts'
import { compileBuiltinRules } from './compile-rules.ts'
import { explainRules } from './explain.ts'

const rules = rulesOf({
  agents: {
    web: { aliases: ['frontend'], require: 'token', allow: { servers: ['db'] }, justification: 'why' },
  },
})

it('returns decision, rule, position, matches and reason', () => {
  expect(explainRules(rules, { agent: 'frontend', server: 'db', tool: 'query' })).toEqual({
    decision: 'allow',
    rule: 'agents.web.allow.servers[0]',
    file: 'rules.json',
    line: 10,
    matched: [
      { path: 'agents.web.allow.servers[0]', effect: 'allow', pattern: 'db', file: 'rules.json', line: 10 },
    ],
    reason: 'server allowed by name, and no list of allow.tools applies to it',
  })
})

it('assumes the best level unless one is given', () => {
  expect(explainRules(rules, { agent: 'web', server: 'db', tool: 'query', level: 'declared' })).toMatchObject(
    {
      decision: 'deny',
      rule: 'agents.web.require',
      reason: 'the identity level is declared, below the required token',
      justification: 'why',
    },
  )
})

it('has no file for built-in rules', () => {
  const answer = explainRules(compileBuiltinRules(), { agent: 'main', server: 'contextd', tool: 'safe_read' })
  expect(answer).toMatchObject({ decision: 'allow', file: null, line: null })
})

it('denies a tool whose capability the agent lacks, and says where', () => {
  const own = rulesOf({
    agents: {
      plain: { allow: { servers: ['contextd'], capabilities: ['fs:read:**'] } },
      shell: { allow: { servers: ['contextd'], capabilities: ['shell:exec'] } },
      taken: {
        allow: { servers: ['contextd'], capabilities: ['shell:exec'] },
        deny: { capabilities: ['shell:exec'] },
      },
    },
  })
  const ask = (agent: string) =>
    explainRules(own, { agent, server: 'contextd', tool: 'safe_bash', needs: ['shell:exec'] })
  expect(ask('plain')).toEqual({
    decision: 'deny',
    rule: 'agents.plain.allow.capabilities',
    file: 'rules.json',
    line: expect.any(Number) as number,
    matched: [expect.objectContaining({ effect: 'allow', pattern: 'contextd' }) as object],
    reason: 'the tool needs the capability shell:exec, which the agent is not granted',
  })
  expect(ask('taken')).toMatchObject({ decision: 'deny', rule: 'agents.taken.deny.capabilities[0]' })
  expect(ask('shell').decision).toBe('allow')
  // A denial by rule takes precedence.
  expect(ask('nobody').reason).toBe('the rules do not know the agent')
})

it('denies unknown agents', () => {
  expect(explainRules(rules, { agent: 'nobody', server: 'db', tool: 'query' }).decision).toBe('deny')
})
