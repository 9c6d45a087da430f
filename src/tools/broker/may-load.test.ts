import { describe, expect, test } from 'vitest'

import { identityLevels, type Caller, type IdentityLevel } from '../../core/call.ts'
import { isAssigned, mayLoad } from './may-load.ts'

const scanner = 'contextd:scanner'
const known = (agent: string, level: IdentityLevel): Caller => ({ claims: {}, principal: { agent, level } })
const attested = (agent: string, principal = agent, level: IdentityLevel = 'attested'): Caller => ({
  claims: { attested: { agent, instance: 'a1' } },
  principal: { agent: principal, level },
})

const asMain = (agent: string, principal = agent): Caller => ({
  claims: { attested: { agent } },
  principal: { agent: principal, level: 'attested' },
})

describe('a context for one agent', () => {
  const attestedOnly = { agents: [scanner], require: 'attested' } as const

  test.each<[string, Caller, boolean]>([
    ['attested', attested(scanner), true],
    ['attested, under a name the rules do not know', attested(scanner, 'default', 'default'), true],
    ['attested, and the rules know it by another name', attested(scanner, 'privacy'), true],
    ['the main thread', attested('main'), false],
    ['the main thread that was started as this agent', asMain(scanner), false],
    ['the same under the name that the rules have', asMain(scanner, 'privacy'), false],
    ['another agent that is attested', attested('contextd:other', 'default', 'default'), false],
    ...identityLevels
      .slice(1)
      .map(
        (level) => [`the right name by ${level}`, known(scanner, level), false] as [string, Caller, boolean],
      ),
    ['nobody', { claims: {} }, false],
  ])('%s: %#', (_, asker, expected) => {
    expect(mayLoad(attestedOnly, asker)).toBe(expected)
    expect(isAssigned(attestedOnly, asker)).toBe(expected)
  })

  test('is also meant where the entry uses the name the rules have', () => {
    expect(mayLoad({ agents: ['privacy'], require: 'attested' }, attested(scanner, 'privacy'))).toBe(true)
    expect(mayLoad({ agents: ['privacy'], require: 'attested' }, asMain(scanner, 'privacy'))).toBe(false)
  })

  test('an attested agent is not the one that the rules take unknown ones for', () => {
    const lax = { agents: ['default', 'ci'], require: 'default' } as const
    expect(mayLoad(lax, attested(scanner, 'default', 'default'))).toBe(false)
    expect(mayLoad(lax, attested(scanner, 'ci', 'environment'))).toBe(false)
    expect(mayLoad(lax, known('default', 'default'))).toBe(true)
    expect(mayLoad(lax, known('ci', 'environment'))).toBe(true)
  })
})

describe.each(identityLevels)('with require = %s', (require) => {
  test.each(identityLevels)('a caller at level %s', (level) => {
    const reaches = identityLevels.indexOf(level) <= identityLevels.indexOf(require)
    const asker = level === 'attested' ? attested('front') : known('front', level)
    expect(mayLoad({ agents: ['front'], require }, asker)).toBe(reaches)
    expect(mayLoad({ agents: [], require }, asker)).toBe(reaches)
    expect(mayLoad({ agents: ['back'], require }, asker)).toBe(false)
    // Without a key only attestation will do, whatever the entry asks for.
    expect(isAssigned({ agents: ['front'], require }, asker)).toBe(level === 'attested')
    expect(isAssigned({ agents: [], require }, asker)).toBe(false)
  })
})
