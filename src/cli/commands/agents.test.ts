import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { fakeIo } from '@contextd/shared/testing/cli-io'
import { runCli } from '@contextd/shared/cli/output'
import { agentsCommand } from './agents.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const json = async (...argv: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await home.run(agentsCommand, ...argv, '--json')).out()) as Record<string, unknown>

const isoTime = /^2\d{3}-.*Z$/

test('lists the agents in the active rules', async () => {
  expect(await json('list')).toMatchObject({ files: [], agents: [{ id: 'main' }, { id: 'default' }] })
  home.write('config/rules.json', { agents: { front: { allow: { servers: ['contextd'] } } } })
  expect(await json('list')).toMatchObject({ agents: [{ id: 'front' }] })
})

test('shows a token once, lists it without its secret, and revokes it', async () => {
  const created = await json('token', 'create', '--agent', 'main', '--label', 'laptop')
  const { token, id, created_at } = created
  expect(created).toEqual({
    id,
    agent: 'main',
    label: 'laptop',
    created_at: expect.stringMatching(isoTime),
    token: expect.stringMatching(/^ctxd_/),
  })
  const listed = await home.run(agentsCommand, 'token', 'list')
  expect(listed.out()).toContain('laptop')
  expect(listed.out()).not.toContain(token)
  expect((await home.run(agentsCommand, 'token', 'revoke', String(id))).out()).toBe('Revoked.\n')
  expect(await json('token', 'list')).toEqual({
    tokens: [{ id, agent: 'main', label: 'laptop', created_at, revoked_at: expect.stringMatching(isoTime) }],
  })
  const again = await home.run(agentsCommand, 'token', 'revoke', String(id))
  expect([again.code(), again.err()]).toEqual([12, expect.stringContaining('NOT_FOUND')])
})

test('prints only the token to stdout without --json', async () => {
  const { out, err } = await home.run(agentsCommand, 'token', 'create', '--agent', 'main')
  expect(out()).toMatch(/^ctxd_[\w-]+\n$/)
  expect(err()).toContain('cannot be shown again')
})

test('creates no token for an unknown agent', async () => {
  const { code, out, err } = await home.run(agentsCommand, 'token', 'create', '--agent', 'nobody')
  expect([code(), out()]).toEqual([12, ''])
  expect(err()).not.toContain('Did you mean')
  const slip = await home.run(agentsCommand, 'token', 'create', '--agent', 'mian')
  expect(slip.err()).toBe('NOT_FOUND: There is no agent mian in the rules\nDid you mean main?\n')
  expect(await json('token', 'list')).toEqual({ tokens: [] })
})

test('refuses to create a token for another machine', async () => {
  const far = { ...home.env, CONTEXTD_ADDR: 'build.example:7392', CONTEXTD_TLS: home.project }
  const { io, err, out, code } = fakeIo({ env: far, cwd: home.project })
  await runCli(agentsCommand(io), io, ['token', 'create', '--agent', 'main'])
  expect([code(), out(), err()]).toEqual([2, '', expect.stringContaining('Run the command there')])
  expect(await json('token', 'list')).toEqual({ tokens: [] })
})

test('agents can neither create nor revoke tokens; scripts of the user can do both', async () => {
  const inAgent = async (...argv: string[]): Promise<unknown> => {
    const { io, err, out } = fakeIo({ env: { ...home.env, CLAUDECODE: '1' }, cwd: home.project })
    await runCli(agentsCommand(io), io, [...argv, '--json'])
    expect(out()).toBe('')
    return JSON.parse(err())
  }
  const refused = { error: { code: 'OPERATOR_REQUIRED' } }
  expect(await inAgent('token', 'create', '--agent', 'main')).toMatchObject(refused)
  expect(await json('token', 'list')).toEqual({ tokens: [] })
  const { id } = await json('token', 'create', '--agent', 'main')
  expect(await inAgent('token', 'revoke', String(id))).toMatchObject(refused)
  expect(await json('token', 'revoke', String(id))).toEqual({ id, revoked: true })
})
