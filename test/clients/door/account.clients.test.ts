/** The key of the user's account passes to the provider and nowhere else; and without contextd nothing passes. */

import { expect, describe, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { follow, type Scripts } from '../scripted-model.ts'
import { openLab, routes } from './lab.ts'
import { isIn } from './leaks.ts'
import { bash, read } from './uses.ts'

/** Like nothing that a rule knows. */
const key = makeSample('{[abcdefghkmnp]:30}', seededRandom(7)).text

const scripts = (project: string): Scripts => ({
  main: [[read('read', `${project}/account.txt`)], [bash('cat', 'cat account.txt; exit 1')], 'done'],
})

describe.each(routes)('the key of the account, %s', (route) => {
  test('arrives at the provider as it is, and is masked in what the model reads', async () => {
    const lab = await openLab(route, scripts, {
      env: { ANTHROPIC_API_KEY: key },
      prepare: (place) => void place.write('project/account.txt', `I log in with ${key} since May.\n`),
    })
    const run = await lab.say(follow('main'))
    for (const { headers } of lab.requests) expect(headers['x-api-key']).toBe(key)
    for (const id of ['read', 'cat']) {
      expect(run.saw(id).text).toMatch(/I log in with \S+ since May/)
      expect(isIn(run.saw(id).text, key)).toBe(!lab.hasDoor)
    }
    expect(lab.requests.some(({ text }) => isIn(text, key))).toBe(!lab.hasDoor)
    const holding = lab.place.filesWith(key)
    expect(holding).toContain('project/account.txt')
    expect(holding.filter((file) => /^home\/\.(?:config|local)\//.test(file))).toEqual([])
  })
})

test('with contextd stopped the client reaches no model and says so', async () => {
  const lab = await openLab('through the door', scripts, {
    env: { CLAUDE_CODE_MAX_RETRIES: '0' },
    prepare: (place) => void place.write('project/account.txt', 'nothing\n'),
  })
  await lab.say(follow('main'))
  const reached = lab.requests.length
  expect(reached).toBe(3)
  await lab.stopDaemon()
  const run = await lab.say(follow('main'))
  expect(lab.requests).toHaveLength(reached)
  expect(run.code).not.toBe(0)
  expect(run.stdout).toMatch(/ECONNREFUSED|connect|Connection/)
})
