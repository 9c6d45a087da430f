import { expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { answer, refusal, type Result } from '../../core/result.ts'
import { createScrubber } from './scrubber.ts'
import { scrubStage } from './stage.ts'

const secret = ['ghp_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'].join('')

function through(result: Result, call = aCall()): Promise<Result> {
  const stage = scrubStage({ scrub: createScrubber().scrub, onFailure: () => {} })
  return stage(call, async () => result)
}

const results: Record<string, Result> = {
  data: answer({ stdout: secret, [secret]: 1 }),
  'a value that only its key gives away': answer({ list: [{ password: secret.slice(4) }] }),
  'content blocks': { kind: 'answer', own: false, content: [{ type: 'text', text: secret }] },
  meta: { kind: 'answer', own: false, content: [], meta: { note: secret } },
  'a list': { kind: 'payload', value: { tools: [{ name: 'x', description: secret }] } },
  'a question': { kind: 'input_required', requests: { q: { message: secret } } },
  'a refusal': refusal('SERVER_UNAVAILABLE', { server: secret }),
}

test.each(Object.entries(results))('no secret leaves in %s', async (_, result) => {
  expect(JSON.stringify(result)).toContain(secret.slice(4))
  const scrubbed = JSON.stringify(await through(result))
  expect(scrubbed).not.toContain(secret.slice(4))
  expect(scrubbed).toContain('[SECRET_1]')
})

test('what was found is noted by rule, never by value', async () => {
  const call = aCall()
  await through(answer(`${secret} ${secret}`), call)
  expect(call.trail.findings).toEqual([{ layer: 'C2', rule: 'github-pat', count: 2 }])
})

test('a scrubber that fails withholds the answer', async () => {
  const errors: unknown[] = []
  const stage = scrubStage({
    scrub: () => {
      throw new Error('out of time')
    },
    onFailure: (_, error) => errors.push(error),
  })
  const result = await stage(aCall(), async () => answer('something private'))
  expect(result).toMatchObject({ kind: 'refusal', error: { code: 'SCRUB_FAILED' } })
  expect(JSON.stringify(result)).not.toContain('something private')
  expect(errors).toHaveLength(1)
})

test('raw output is kept only where a vault asks for it', async () => {
  const kept: Result[] = []
  const stage = scrubStage({
    scrub: createScrubber().scrub,
    keepRaw: (_, raw) => kept.push(raw),
    onFailure: () => {},
  })
  await stage(aCall(), async () => answer(secret))
  expect(JSON.stringify(kept)).toContain(secret)
})
