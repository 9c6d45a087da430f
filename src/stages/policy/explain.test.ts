import { expect, it } from 'vitest'

import { rulesOf } from '../../../test/support/policy-rules.ts'
import { compileBuiltinRules } from './compile-rules.ts'
import { explain } from './explain.ts'

const rules = rulesOf({
  agents: {
    web: { aliases: ['frontend'], require: 'token', allow: { servers: ['db'] }, justification: 'why' },
  },
})

it('answers with decision, rule, place, matches and reason', () => {
  expect(explain(rules, { agent: 'frontend', server: 'db', tool: 'query' })).toEqual({
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
  expect(explain(rules, { agent: 'web', server: 'db', tool: 'query', level: 'declared' })).toMatchObject({
    decision: 'deny',
    rule: 'agents.web.require',
    reason: 'the identity level is declared, below the required token',
    justification: 'why',
  })
})

it('has no file where the built-in rules decide', () => {
  const answer = explain(compileBuiltinRules(), { agent: 'main', server: 'contextd', tool: 'safe_read' })
  expect(answer).toMatchObject({ decision: 'allow', file: null, line: null })
})

it('denies agents nobody knows', () => {
  expect(explain(rules, { agent: 'nobody', server: 'db', tool: 'query' }).decision).toBe('deny')
})
