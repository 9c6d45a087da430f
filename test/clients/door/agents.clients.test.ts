/** Subagents and tasks in the background go through the same door; what is private to one agent stays out of the others. */

import { describe, expect, test } from 'vitest'

import { startAgent } from '../claude-code.ts'
import type { ClientRun } from '../client-run.ts'
import { pluginWithoutGuards } from '../hook-free-plugin.ts'
import { loadContext, privateLine, privateName, writeContexts } from '../private-context.ts'
import { follow, found, type Scripts } from '../scripted-model.ts'
import { kindsIn } from './kinds.ts'
import { openLab, routes } from './lab.ts'
import { kindsLeaked } from './leaks.ts'
import { bash } from './uses.ts'

const wait = (id: string, file: string) => bash(id, `until [ -e ${file} ]; do sleep 0.1; done`)

const working = (): Scripts => ({
  main: [
    [startAgent('front', 'general-purpose', 'front'), bash('meanwhile', 'cat notes.md')],
    [startAgent('one', 'general-purpose', 'one', true), startAgent('two', 'general-purpose', 'two', true)],
    [wait('wait-one', 'one.txt'), wait('wait-two', 'two.txt')],
    'waiting',
    'done',
  ],
  front: [[bash('front-cat', 'cat settings.env')], `The key id is ${found('AWS_ACCESS_KEY_ID=(\\S+)')}`],
  one: [[bash('one-cat', 'cat config.yaml')], [bash('one-end', 'touch one.txt')], 'done'],
  two: [[bash('two-cat', 'cat client.ts >&2; exit 1')], [bash('two-end', 'touch two.txt')], 'done'],
})

describe.each(routes)('subagents in the foreground and in the background, %s', (route) => {
  test('no agent sends a secret, and all have the same tokens', async () => {
    const lab = await openLab(route, working)
    const run = await lab.say(follow('main'))
    const read = ['notes.md', 'settings.env', 'config.yaml', 'client.ts']
    expect(lab.leaked()).toEqual(lab.hasDoor ? [] : kindsIn(...read))
    for (const [agent, file] of [
      ['front', 'settings.env'],
      ['one', 'config.yaml'],
      ['two', 'client.ts'],
    ] as const) {
      const requests = lab.requests.filter(({ script }) => script === agent)
      expect(requests.length).toBeGreaterThan(1)
      for (const { headers } of requests) expect(headers['x-claude-code-agent-id']).toBeDefined()
      const leaked = kindsLeaked(requests.map(({ text }) => text))
      expect(leaked).toEqual(lab.hasDoor ? [] : kindsIn(file))
    }
    const keyId = /AWS_ACCESS_KEY_ID=(\S+)/.exec(run.saw('front-cat').text)![1]!
    expect(keyId).toMatch(lab.hasDoor ? /^\[SECRET_\d+\]$/ : /^AKIA/)
    // The answer of the subagent, as the main thread has it.
    expect(run.saw('front').text).toContain(`The key id is ${keyId}`)
  })
})

const confession = `I loaded this: ${privateLine}, ${privateName}, and nothing else`
const toOther = startAgent('tell', 'general-purpose', 'other')
const heard = `It says ${found('I loaded this: (.*), and nothing else')}`
const passOn = { ...toOther, input: { ...toOther.input, prompt: `${follow('other')} ${heard}` } }
const gossiping = (): Scripts => ({
  main: [[startAgent('scan', 'contextd:scanner', 'scanner')], [passOn], 'done'],
  scanner: [[loadContext('load')], [bash('work', 'echo at work')], confession],
  other: [[bash('other', 'echo nothing to do')], 'done'],
})

const holdsPrivate = (run: ClientRun, script: string): boolean =>
  [privateLine, privateName].some((part) => run.told(script).includes(part))

// The plugin is there in both, for its tools and attestation, but without its guards: only the door masks.
describe.each(routes)('private context of a subagent, %s', (route) => {
  test('only the requests of its own agent have it', async () => {
    const args: string[] = []
    const lab = await openLab(route, gossiping, {
      args,
      prepare(place) {
        writeContexts(place)
        args.push(...pluginWithoutGuards(place))
      },
    })
    const run = await lab.say(follow('main'))
    expect(run.saw('load').text).toContain(privateLine)
    expect(holdsPrivate(run, 'scanner')).toBe(true)
    expect(run.saw('scan').text).toContain('I loaded this: ')
    for (const script of ['main', 'other']) expect(holdsPrivate(run, script)).toBe(!lab.hasDoor)
  })
})
