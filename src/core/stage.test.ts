import { expect, test } from 'vitest'

import { aCall } from '../../test/support/calls.ts'
import { answer } from './result.ts'
import { runStages, type Stage } from './stage.ts'

test('the first stage is outermost', async () => {
  const steps: string[] = []
  const note =
    (name: string): Stage =>
    async (call, next) => {
      steps.push(`${name} in`)
      const result = await next(call)
      steps.push(`${name} out`)
      return result
    }
  const run = runStages([note('a'), note('b'), async () => answer('done')])
  expect(await run(aCall())).toEqual(answer('done'))
  expect(steps).toEqual(['a in', 'b in', 'b out', 'a out'])
})

test('a stage can pass on a changed call', async () => {
  const run = runStages([(call, next) => next({ ...call, tool: 'other' }), async (call) => answer(call.tool)])
  expect(await run(aCall())).toEqual(answer('other'))
})

test('a stage that calls next twice is stopped', async () => {
  const run = runStages([
    async (call, next) => {
      await next(call)
      return next(call)
    },
    async () => answer('done'),
  ])
  await expect(run(aCall())).rejects.toThrow('twice')
})

test('a chain whose last stage calls next is an error, not an empty answer', async () => {
  await expect(runStages([(call, next) => next(call)])(aCall())).rejects.toThrow('must answer')
})
