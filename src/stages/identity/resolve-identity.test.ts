import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Claims } from '../../core/call.ts'
import { resolveIdentity, type AgentDirectory, type Declared } from './resolve-identity.ts'

function directory(names: Record<string, string>, denyOnMissing = false): AgentDirectory {
  return { resolveAgent: (name) => (Object.hasOwn(names, name) ? names[name] : undefined), denyOnMissing }
}
const agents = directory({
  main: 'main',
  front: 'front',
  'contextd:scanner': 'scanner',
  scanner: 'scanner',
  default: 'default',
})
const strict = directory({ main: 'main', front: 'front', default: 'default' }, true)
const token = { id: 't', agent: 'front' }

interface Row {
  name: string
  claims?: Claims
  declared?: Declared
  agents?: AgentDirectory
  expected: string
}

const rows: Row[] = [
  {
    name: 'attested beats everything below',
    claims: { attested: { agent: 'contextd:scanner' }, environment: 'front' },
    expected: 'scanner attested',
  },
  {
    name: 'attested and declared agree by alias',
    claims: { attested: { agent: 'contextd:scanner' } },
    declared: { argument: 'scanner' },
    expected: 'scanner attested',
  },
  {
    name: 'attested and declared disagree',
    claims: { attested: { agent: 'main' } },
    declared: { argument: 'front' },
    expected: 'IDENTITY_CONFLICT',
  },
  {
    name: 'attested and token disagree',
    claims: { attested: { agent: 'main' }, token },
    expected: 'IDENTITY_CONFLICT',
  },
  {
    name: 'attested name the rules do not know is as good as missing',
    claims: { attested: { agent: 'stranger' } },
    expected: 'default default',
  },
  {
    name: 'attested stranger that declares a known name',
    claims: { attested: { agent: 'stranger' } },
    declared: { argument: 'front' },
    expected: 'IDENTITY_CONFLICT',
  },
  {
    name: 'attested stranger under strict rules',
    claims: { attested: { agent: 'stranger' } },
    agents: strict,
    expected: 'IDENTITY_REQUIRED',
  },
  { name: 'token', claims: { token }, expected: 'front token' },
  { name: 'token under strict rules', claims: { token }, agents: strict, expected: 'front token' },
  {
    name: 'token and the same declared id',
    claims: { token },
    declared: { argument: 'front' },
    expected: 'front token',
  },
  {
    name: 'token and another declared id',
    claims: { token },
    declared: { argument: 'main' },
    expected: 'IDENTITY_CONFLICT',
  },
  {
    name: 'token of an agent that left the rules',
    claims: { token: { id: 't', agent: 'gone' } },
    expected: 'INVALID_AGENT_ID',
  },
  { name: 'declared argument', declared: { argument: 'front' }, expected: 'front declared' },
  { name: 'declared in _meta', declared: { meta: 'front' }, expected: 'front declared' },
  {
    name: 'declared twice alike',
    declared: { argument: 'front', meta: 'front' },
    expected: 'front declared',
  },
  {
    name: 'declared twice differently',
    declared: { argument: 'front', meta: 'main' },
    expected: 'IDENTITY_CONFLICT',
  },
  {
    name: 'declared beats environment',
    claims: { environment: 'main' },
    declared: { argument: 'front' },
    expected: 'front declared',
  },
  {
    name: 'declared and unknown never falls through',
    claims: { environment: 'main' },
    declared: { argument: 'nobody' },
    expected: 'INVALID_AGENT_ID',
  },
  {
    name: 'declared and malformed',
    claims: { environment: 'main' },
    declared: { argument: 'a b' },
    expected: 'INVALID_AGENT_ID',
  },
  {
    name: 'declared and empty',
    claims: { environment: 'main' },
    declared: { argument: '' },
    expected: 'INVALID_AGENT_ID',
  },
  {
    name: 'declared and not a string',
    claims: { environment: 'main' },
    declared: { argument: 7 },
    expected: 'INVALID_AGENT_ID',
  },
  { name: 'environment', claims: { environment: 'main' }, expected: 'main environment' },
  {
    name: 'environment is not tried under strict rules',
    claims: { environment: 'main' },
    agents: strict,
    expected: 'IDENTITY_REQUIRED',
  },
  {
    name: 'environment that the rules do not know',
    claims: { environment: 'nobody' },
    expected: 'FALLBACK_AGENT_NOT_IN_RULES',
  },
  { name: 'empty environment counts as unset', claims: { environment: '' }, expected: 'default default' },
  { name: 'default agent', expected: 'default default' },
  { name: 'default agent is not tried under strict rules', agents: strict, expected: 'IDENTITY_REQUIRED' },
  { name: 'nothing configured', agents: directory({ main: 'main' }), expected: 'NO_FALLBACK_CONFIGURED' },
]

function outcome(claims: Claims, declared: Declared, known: AgentDirectory): string {
  const found = resolveIdentity(claims, declared, known)
  return 'code' in found ? found.code : `${found.principal.agent} ${found.principal.level}`
}

describe('resolveIdentity', () => {
  test.each(rows)('$name', ({ claims = {}, declared = {}, agents: known = agents, expected }) => {
    expect(outcome(claims, declared, known)).toBe(expected)
  })

  test('the hint for an unknown attested agent contains its name', () => {
    const told = (agent: string): unknown => resolveIdentity({ attested: { agent } }, {}, strict)
    expect(told('stranger')).toMatchObject({
      details: {
        hint: expect.stringMatching(/^The client says this is stranger, which is not in the rules/),
      },
    })
    expect(JSON.stringify(told('do as I say'))).not.toContain('do as I say')
    expect(resolveIdentity({}, {}, strict)).toEqual({ code: 'IDENTITY_REQUIRED' })
  })

  test('the instance of an attested agent is kept', () => {
    expect(resolveIdentity({ attested: { agent: 'main', instance: 'a1' } }, {}, agents)).toEqual({
      principal: { agent: 'main', level: 'attested', instance: 'a1' },
    })
  })

  test('an unknown declared name is refused whatever else is claimed', () => {
    const name = fc.option(fc.constantFrom('main', 'front', 'stranger', ''), { nil: undefined })
    fc.assert(
      fc.property(name, name, name, fc.boolean(), (attested, held, environment, deny) => {
        const claims: Claims = {
          ...(attested !== undefined && { attested: { agent: attested } }),
          ...(held !== undefined && { token: { id: 't', agent: held } }),
          ...(environment !== undefined && { environment }),
        }
        expect(outcome(claims, { argument: 'nobody' }, { ...agents, denyOnMissing: deny })).toBe(
          'INVALID_AGENT_ID',
        )
      }),
    )
  })
})
