import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { sampleSecrets } from '../../../test/support/registry.ts'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, openRecords } from '../../compose.ts'
import { answer } from '../../core/result.ts'
import { runCli } from '@contextd/shared/cli/output'
import { secretCommand } from './secret.ts'

const [secret = '', other = ''] = sampleSecrets(2)

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

interface Setting {
  readonly answer?: string
  readonly piped?: string
  readonly env?: NodeJS.ProcessEnv
}

async function run(argv: string[], { answer, piped, env }: Setting = {}): Promise<FakeIo> {
  const fake = fakeIo({ env: { ...home.env, ...env }, cwd: home.project, answer })
  const stdin = (async function* () {
    yield Buffer.from(piped ?? '')
  })()
  const io = { ...fake.io, stdin }
  await runCli(
    secretCommand(io, () => piped !== undefined),
    io,
    argv,
  )
  return fake
}

interface Listed {
  secrets: { id: string; rule: string; sessions: number; expires_at?: string }[]
}
const list = async (): Promise<Listed['secrets']> =>
  (JSON.parse((await run(['list', '--json'])).out()) as Listed).secrets

const events = (): unknown[] => {
  const records = openRecords(home.env)
  try {
    return records.audit
      .query({ kind: 'event' })
      .map(({ event, details }) => Object.assign({ event }, details))
  } finally {
    records.close()
  }
}

/** A call whose answer contains both secrets. */
async function seeSecrets(): Promise<void> {
  const tool = {
    definition: { name: 'show', description: 'x', inputSchema: { type: 'object' } },
    server: 'contextd',
    needs: [],
    run: async () => answer(`${secret} ${other}`),
  }
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {}, tools: [tool] })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  await runtime.handle(runtime.newCall({ method: 'tool', tool: 'show', session, client, claims: {}, signal }))
  await runtime.close()
}

describe('list', () => {
  test('prints metadata, and no values', async () => {
    expect((await run(['list'])).out()).toBe('No secrets.\n')
    await seeSecrets()
    const { out, code } = await run(['list'])
    expect(out()).toMatch(/^ID +RULE +FIRST SEEN +LAST SEEN +SESSIONS +LENGTH +EXPIRES\n/)
    expect(out()).toMatch(/^[0-9a-f]{12}  github-pat  2\S{9}  2\S{9}  1 +40 +2\S{9}$/m)
    expect([code(), out().includes(secret)]).toEqual([0, false])
    const json = (await run(['list', '--json'])).out()
    expect(JSON.parse(json)).toEqual({
      secrets: [1, 2].map(() => ({
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        kind: 'found',
        rule: 'github-pat',
        first_seen: expect.stringMatching(/Z$/),
        last_seen: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
        length: 40,
        sessions: 1,
      })),
    })
    expect(json).not.toContain(secret)
  })
})

describe('set', () => {
  const value = 'correct-Horse7-battery9'

  test('accepts a value typed at a hidden prompt', async () => {
    const { out, asked, code } = await run(['set', 'deploy-key'], { answer: value })
    expect(asked()).toBe('Value of deploy-key (not shown): \n')
    expect(out()).toMatch(/^deploy-key is masked from now on \(ID [0-9a-f]{12}\)\.\n$/)
    expect(code()).toBe(0)
    const [stored] = await list()
    expect(stored).toMatchObject({ kind: 'set', rule: 'set:deploy-key', length: value.length, sessions: 0 })
    expect(stored).not.toHaveProperty('expires_at')
    expect(events()).toEqual([{ event: 'secret-set', id: stored?.id, name: 'deploy-key' }])
    expect((await run(['list'])).out()).toMatch(/ never\n$/)
  })

  test('accepts a piped value after confirmation, without its trailing line break', async () => {
    const { asked } = await run(['set', 'x', '--days', '7'], { answer: 'y', piped: `${value}\n` })
    expect(asked()).toBe('Mask this value of 23 characters in every session, as x? [y/N] ')
    const [stored] = await list()
    expect(stored).toMatchObject({ rule: 'set:x', length: value.length, expires_at: expect.any(String) })
    expect(events()).toMatchObject([{ event: 'secret-set', days: 7 }])
  })

  test('masks another value of the same name in addition to the first', async () => {
    await run(['set', 'x'], { answer: value })
    expect((await run(['set', 'x'], { answer: value })).out()).toMatch(/\)\.\n$/)
    expect((await run(['set', 'x'], { answer: secret })).out()).toMatch(/\)\. x has 2 values now\.\n$/)
    const { out } = await run(['set', 'x', '--json'], { answer: other })
    expect(JSON.parse(out())).toEqual({ id: expect.any(String) as string, name: 'x', values: 3 })
  })

  test('does not ask about a value that is refused anyway', async () => {
    const { asked, err } = await run(['set', 'x'], { answer: 'y', piped: 'password' })
    expect([asked(), err()]).toEqual(['', expect.stringContaining('too short or too common')])
    expect((await run(['set', 'x'], { answer: 'y', piped: value })).asked()).toContain('[y/N]')
  })

  test.each<[string, number, Setting]>([
    ['the user refuses', 22, { answer: 'n', piped: value }],
    ['nothing is typed', 22, { answer: '' }],
    ['there is no terminal', 22, { piped: value }],
    ['there is no terminal to type on', 22, {}],
    ['an agent pipes it in', 22, { answer: 'y', piped: value, env: { CLAUDECODE: '1' } }],
    ['an agent runs it', 22, { answer: value, env: { AI_AGENT: 'x' } }],
    ['nothing is piped in', 2, { answer: 'y', piped: '\n' }],
    ['too much is piped in', 2, { answer: 'y', piped: value.repeat(10_000) }],
    ['the value is a common word', 2, { answer: 'y', piped: 'password' }],
  ])('sets nothing: %s', async (_, exit, setting) => {
    const { code, out, err } = await run(['set', 'x'], setting)
    expect([code(), out()]).toEqual([exit, ''])
    expect(err()).not.toContain(value)
    expect(await list()).toEqual([])
    expect(events()).toEqual([])
  })

  test.each([
    [['set', 'a b'], 'It must be 1 to 64'],
    [['set', 'x', '--days', '0'], 'It must be a whole number'],
    [['set'], "missing required argument 'name'"],
  ])('%j is refused', async (argv, problem) => {
    const { code, err } = await run(argv, { answer: 'y', piped: value })
    expect([code(), err()]).toEqual([2, expect.stringContaining(problem)])
  })
})

describe('forget', () => {
  test('forgets the named secret after confirmation', async () => {
    await seeSecrets()
    const [first, second] = await list()
    const { asked, out } = await run(['forget', first!.id], { answer: 'y' })
    expect(asked()).toMatch(
      /^ {2}[0-9a-f]{12} {2}github-pat {2}last seen 2\S+Z\nForget 1 secret\? \[y\/N\] $/,
    )
    expect(asked()).toContain(first!.id)
    expect(out()).toBe('Forgotten: 1 secret.\n')
    expect(await list()).toEqual([second])
    expect(events()).toMatchObject([{ event: 'secret-forgotten', ids: [first!.id], count: 1 }])
  })

  test('forgets all secrets of a rule, or all', async () => {
    await seeSecrets()
    await run(['set', 'x'], { answer: 'correct-Horse7-battery9' })
    const { out } = await run(['forget', '--rule', 'github-pat', '--json'], { answer: 'y' })
    expect(JSON.parse(out())).toEqual({ forgotten: 2 })
    expect((await list()).map(({ rule }) => rule)).toEqual(['set:x'])
    await run(['forget', '--all'], { answer: 'y' })
    expect(await list()).toEqual([])
  })

  test.each<[string, number, string[], Setting]>([
    ['the user refuses', 22, ['forget', '--all'], { answer: 'n' }],
    ['there is no terminal', 22, ['forget', '--all'], {}],
    ['an agent runs it', 22, ['forget', '--all'], { answer: 'y', env: { CLAUDECODE: '1' } }],
    ['it is not said which', 2, ['forget'], { answer: 'y' }],
    ['it is said twice', 2, ['forget', '--all', '--rule', 'x'], { answer: 'y' }],
    ['there is no such id', 12, ['forget', '0123456789ab'], { answer: 'y' }],
    ['there is no such rule', 12, ['forget', '--rule', 'nothing'], { answer: 'y' }],
  ])('forgets nothing: %s', async (_, exit, argv, setting) => {
    await seeSecrets()
    expect((await run(argv, setting)).code()).toBe(exit)
    expect(await list()).toHaveLength(2)
    expect(events()).toEqual([])
  })
})
