import { expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { createScrubber, type Scrubber } from '../index.ts'

const { secret } = makeSample('«ghp_{alnum:36}»', seededRandom(5))
const session = 'build-7'

test('restores tokens only in the session that issued them', () => {
  const scrubber = createScrubber()
  const { text } = scrubber.scrub(`token ${secret}`, { session })
  expect(text).toBe('token [SECRET_1]')
  expect(scrubber.restore(text, { session })).toBe(`token ${secret}`)
  expect(scrubber.restore(text, { session: 'other' })).toBe(text)
  const stream = scrubber.stream({ session })
  expect(stream.write(`again ${secret}`).text + stream.end().text).toBe('again [SECRET_1]')
  scrubber.endSession({ session })
  expect(scrubber.restore(text, { session })).toBe(text)
})

test.each<[string, (scrubber: Scrubber, scope: never) => unknown]>([
  ['scrub', (scrubber, scope) => scrubber.scrub('x', scope)],
  ['stream', (scrubber, scope) => scrubber.stream(scope)],
  ['restore', (scrubber, scope) => scrubber.restore('x', scope)],
  ['endSession', (scrubber, scope) => scrubber.endSession(scope)],
])('%s accepts a session in one form only', (name, call) => {
  const scrubber = createScrubber()
  for (const scope of ['build-7', undefined, null, {}, { session: '' }, { session: 7 }, ['build-7']]) {
    expect(() => call(scrubber, scope as never)).toThrow(TypeError)
    expect(() => call(scrubber, scope as never)).toThrow(`Call ${name}(`)
  }
  expect(() => call(scrubber, { session } as never)).not.toThrow()
})

test('rejects a text that is not a string', () => {
  const scrubber = createScrubber()
  expect(() => scrubber.scrub(7 as never, { session })).toThrow('scrub() requires a string, not number')
  expect(() => scrubber.restore(null as never, { session })).toThrow('restore() requires a string, not null')
  expect(() => scrubber.know(undefined as never, 'rule')).toThrow('know() requires a string, not undefined')
})
