import { describe, expect, test } from 'vitest'

import { attestedAgent, createAttestations, createForkBook, type Attestation } from './attestations.ts'

const said: Attestation = {
  toolUse: 'toolu_1',
  agent: 'contextd:scanner',
  instance: 'a1',
  clientSession: 's1',
  tool: 'mcp__plugin_contextd_contextd__load_context',
}

function book(): { at: (ms: number) => void } & ReturnType<typeof createAttestations> {
  let now = 1_000
  return { ...createAttestations(() => now), at: (ms) => void (now = 1_000 + ms) }
}

describe('an attestation', () => {
  test('is valid for its call, once', () => {
    const { record, take } = book()
    expect(record(said)).toBe('recorded')
    expect(take('toolu_2', 'load_context')).toBeUndefined()
    expect(take('toolu_1', 'load_context')).toEqual(said)
    expect(take('toolu_1', 'load_context')).toBeUndefined()
  })

  test('is valid for a minute', () => {
    const late = book()
    late.record(said)
    late.at(60_000)
    expect(late.take('toolu_1', 'load_context')).toBeUndefined()
    const inTime = book()
    inTime.record(said)
    inTime.at(59_999)
    expect(inTime.take('toolu_1', 'load_context')).toEqual(said)
  })

  test("may be repeated, if both the plugin and the project's settings have the hook", () => {
    const { record, take } = book()
    expect([record(said), record({ ...said })]).toEqual(['recorded', 'recorded'])
    expect(take('toolu_1', 'load_context')).toEqual(said)
  })

  test.each<[string, Partial<Attestation>]>([
    ['another agent', { agent: 'main' }],
    ['another instance', { instance: 'a2' }],
    ['another session', { clientSession: 's2' }],
    ['another tool', { tool: 'mcp__contextd__safe_bash' }],
  ])('is treated as an attack if %s is reported too, in any order', (_, other) => {
    for (const [first, second] of [
      [said, { ...said, ...other }],
      [{ ...said, ...other }, said],
    ] as const) {
      const { record, take } = book()
      record(first)
      expect(record(second)).toBe('conflict')
      expect(record(first)).toBe('conflict')
      expect(take('toolu_1', 'load_context')).toBe('conflict')
    }
  })

  test('can be contradicted even after its call', () => {
    const { record, take } = book()
    record(said)
    take('toolu_1', 'load_context')
    expect(record({ ...said, agent: 'main' })).toBe('conflict')
    expect(record(said)).toBe('conflict')
  })

  test('is not valid for another tool', () => {
    const { record, take } = book()
    record(said)
    expect(take('toolu_1', 'safe_bash')).toBe('other-tool')
  })

  test('matches a tool by the name that the client derives', () => {
    const { record, take } = book()
    record({ ...said, tool: 'mcp__contextd__docs__get_page' })
    expect(take('toolu_1', 'docs__get.page')).toMatchObject({ agent: 'contextd:scanner' })
  })

  test('is valid for the repeated call after a question, however long the user took', () => {
    const answered = book()
    answered.record(said)
    answered.take('toolu_1', 'load_context')
    answered.giveBack('toolu_1')
    answered.at(300_000)
    expect(answered.take('toolu_1', 'load_context')).toEqual(said)
    expect(answered.take('toolu_1', 'load_context')).toBeUndefined()
  })

  test('is not recorded while there is no room, and is again once others have expired', () => {
    const { record, at } = book()
    for (let n = 0; n < 10_000; n++) record({ ...said, toolUse: `many-${n}` })
    expect(record(said)).toBe('full')
    at(60_000)
    expect(record(said)).toBe('recorded')
  })
})

describe('the name of an agent', () => {
  const yes = (): boolean => true
  const no = (): boolean => false

  test.each([
    [{ id: '', type: '' }, 'main'],
    [{ id: '', type: 'lead' }, 'lead'],
    [{ id: 'a1', type: 'contextd:scanner' }, 'contextd:scanner'],
    [{ id: 'a1', type: 'main' }, 'subagent:main'],
    [{ id: 'a1', type: 'default' }, 'subagent:default'],
  ])('%j is %s', (hook, name) => {
    expect(attestedAgent(hook, yes)).toBe(name)
    expect(attestedAgent(hook, no)).toBe(name)
  })

  test("of a fork is the main thread's if only that has started forks", () => {
    const fork = { id: 'a1', type: 'fork' }
    expect(attestedAgent(fork, yes)).toBe('main')
    expect(attestedAgent(fork, no)).toBe('subagent:fork')
  })
})

describe('the starters of forks', () => {
  test('only the main thread: forks are its own', () => {
    const forks = createForkBook()
    expect(forks.areMains('s1')).toBe(false)
    forks.started('s1', { id: '' }, 'fork')
    expect([forks.areMains('s1'), forks.areMains('s2')]).toEqual([true, false])
  })

  test.each(['fork', ''])(
    'a subagent too (type "%s"): nobody knows whose a fork is, then or later',
    (type) => {
      const forks = createForkBook()
      forks.started('s1', { id: '' }, 'fork')
      forks.started('s1', { id: 'a1' }, type)
      expect(forks.areMains('s1')).toBe(false)
      forks.started('s1', { id: '' }, 'fork')
      expect(forks.areMains('s1')).toBe(false)
    },
  )

  test('agents of another type are not forks', () => {
    const forks = createForkBook()
    forks.started('s1', { id: '' }, 'fork')
    forks.started('s1', { id: 'a1' }, 'general-purpose')
    expect(forks.areMains('s1')).toBe(true)
  })
})
