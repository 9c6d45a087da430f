import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { agentsCommand } from './agents.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const json = async (...argv: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await home.run(agentsCommand, ...argv, '--json')).out()) as Record<string, unknown>

test('lists the agents of the rules in force', async () => {
  expect(await json('list')).toMatchObject({ files: [], agents: [{ id: 'main' }, { id: 'default' }] })
  home.write('config/rules.json', { agents: { front: { allow: { servers: ['contextd'] } } } })
  expect(await json('list')).toMatchObject({ agents: [{ id: 'front' }] })
})

test('a token is shown once, listed without its secret, and ended by revoke', async () => {
  const { token, id } = await json('token', 'create', '--agent', 'main', '--label', 'laptop')
  expect(token).toMatch(/^ctxd_/)
  const listed = await home.run(agentsCommand, 'token', 'list')
  expect(listed.out()).toContain('laptop')
  expect(listed.out()).not.toContain(token)
  expect((await home.run(agentsCommand, 'token', 'revoke', String(id))).out()).toBe('Revoked.\n')
  expect(await json('token', 'list')).toMatchObject({ tokens: [{ id, revokedAt: expect.any(Number) }] })
  const again = await home.run(agentsCommand, 'token', 'revoke', String(id))
  expect([again.code(), again.err()]).toEqual([12, expect.stringContaining('NOT_FOUND')])
})

test('without --json stdout is the token and nothing else', async () => {
  const { out, err } = await home.run(agentsCommand, 'token', 'create', '--agent', 'main')
  expect(out()).toMatch(/^ctxd_[\w-]+\n$/)
  expect(err()).toContain('cannot be shown again')
})

test('an agent the rules do not know gets no token', async () => {
  const { code, out } = await home.run(agentsCommand, 'token', 'create', '--agent', 'nobody')
  expect([code(), out()]).toEqual([12, ''])
  expect(await json('token', 'list')).toEqual({ tokens: [] })
})
