import { expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { checkHere } from '../../../test/support/checks.ts'
import { nothingPrivate } from '../../../test/support/nothing-private.ts'
import type { PrivateContext, Refs, Scrub } from '../../core/ports.ts'
import { createToolHost } from './tool-host.ts'

const scrub: Scrub = (text, _, key) => {
  const findings =
    text.includes('hunter2') || key === 'password' ? [{ rule: 'r', start: 0, end: 7, token: '' }] : []
  return { text: key === 'password' ? '[SECRET_1]' : text.replaceAll('hunter2', '[SECRET_1]'), findings }
}

function hostFor(
  parts: Parameters<typeof aCall>[0] = {},
  privacy: Pick<PrivateContext, 'mask'> = nothingPrivate,
) {
  const saved: string[] = []
  const call = aCall({ principal: { agent: 'main', level: 'default' }, ...parts })
  const host = createToolHost(call, {
    check: checkHere({ scrub, privacy }),
    scrub,
    privacy,
    reveal: (_, text) => text.replaceAll('[SECRET_1]', 'hunter2'),
    lasting: {
      archive: (text, session) => text.replaceAll('[SECRET_1]', `[of ${session}]`),
      recall: (text, session) => text.replaceAll(`[of ${session}]`, '[SECRET_1]'),
    },
    refs: {
      save: (_, text) => {
        saved.push(text)
        return 'ref_1'
      },
    } as Refs,
    sliceTokens: 100,
  })
  return { call, host, saved }
}

test('everything that a tool stores is scrubbed first, and counted by its place', async () => {
  const { host, call, saved } = hostFor()
  host.refs.save('the hunter2')
  expect(await host.scrub('my hunter2')).toBe('my [SECRET_1]')
  expect(host.archive('keep hunter2')).toBe('keep [of session-1]')
  expect(saved).toEqual(['the [SECRET_1]'])
  expect(call.trail.findings.map(({ layer, place, count }) => `${layer} ${place} ${count}`)).toEqual([
    'C1 ref 1',
    'C1 tool 1',
    'C1 archive 1',
  ])
})

test('archived text is recalled for the session of the call', () => {
  const { host } = hostFor({ session: 's2' })
  expect(host.recall('[of s2] [of s3]')).toBe('[SECRET_1] [of s3]')
  expect(host.reveal('[SECRET_1]')).toBe('hunter2')
})

test("another agent's private context is not stored, and archived text contains none at all", async () => {
  const privacy: Pick<PrivateContext, 'mask'> = {
    mask: (text, _, caller) =>
      caller === 'scanner' || !text.includes('Bluebird')
        ? { text, findings: [] }
        : {
            text: text.replace('Bluebird', '[PRIVATE]'),
            findings: [{ rule: 'private-context', start: 0, end: 8, token: '[PRIVATE]' }],
          },
  }
  const kept = async (agent: string) => {
    const { host, saved, call } = hostFor({ claims: { attested: { agent, instance: 'a1' } } }, privacy)
    host.refs.save('Bluebird')
    const texts = [...saved, await host.scrub('Bluebird'), host.archive('Bluebird')]
    return { texts, places: call.trail.findings.map(({ rule, place }) => `${rule} ${place}`) }
  }
  expect(await kept('main')).toEqual({
    texts: ['[PRIVATE]', '[PRIVATE]', '[PRIVATE]'],
    places: ['ref', 'tool', 'archive'].map((place) => `private-context ${place}`),
  })
  expect(await kept('scanner')).toEqual({
    texts: ['Bluebird', 'Bluebird', '[PRIVATE]'],
    places: ['private-context archive'],
  })
})
