import { afterEach, beforeEach, expect, test } from 'vitest'

import { serveProtected } from '../../../../test/support/authorization-server.ts'
import { fakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { webServers } from '../../../../test/support/web-servers.ts'
import { withRecords, withRuntime } from '../../support/with-runtime.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { loginUpstream, logoutUpstream } from './login.ts'

const web = webServers()
let home: TempHome
beforeEach(() => {
  home = makeTempHome()
})
afterEach(() => home.remove())

/** A user who types this at the terminal and opens the printed address; without it, there is no terminal. */
function person(answer?: string) {
  const fake = fakeIo({ env: home.env, cwd: home.project, answer })
  const { write } = fake.io.stderr
  const stderr = {
    write(text: string) {
      const address = /http:\S+/.exec(text)?.[0]
      if (address !== undefined) void fetch(address)
      return write(text)
    },
  }
  return { ...fake, io: { ...fake.io, stderr } as CliIo }
}

async function declare(): Promise<string> {
  const { url } = await serveProtected(web)
  home.write('config/servers.json', { mcpServers: { there: { url }, here: { command: 'true' } } })
  return url
}

const isReachable = (io: CliIo): Promise<boolean> =>
  withRuntime(io, ({ upstream }) =>
    upstream.inspect('there').then(
      () => true,
      () => false,
    ),
  )

test('signing in makes the server usable until signing out', async () => {
  await declare()
  const { io, out, asked } = person('y')
  expect(await isReachable(io)).toBe(false)
  await loginUpstream('there', {}, io)
  expect(asked()).toContain('Sign in to there, for every agent that may use it?')
  expect(out()).toBe('Signed in to there.\n')
  expect(await isReachable(io)).toBe(true)

  await logoutUpstream('there', { json: true }, io)
  expect(out()).toContain('"signed_out": "there"')
  expect(await isReachable(io)).toBe(false)
  const names = await withRecords(io, ({ audit }) => audit.query().map(({ event }) => event))
  expect(names).toEqual(expect.arrayContaining(['upstream-signed-in', 'upstream-signed-out']))
})

test('only the user can sign in or out', async () => {
  await declare()
  const { io } = person()
  await expect(loginUpstream('there', {}, io)).rejects.toMatchObject({ code: 'OPERATOR_REQUIRED' })
  await expect(logoutUpstream('there', {}, io)).rejects.toMatchObject({ code: 'OPERATOR_REQUIRED' })
  await expect(loginUpstream('there', {}, person('n').io)).rejects.toMatchObject({
    code: 'APPROVAL_REQUIRED',
  })
  const agent = { ...person('y').io, env: { ...home.env, CLAUDECODE: '1' } }
  await expect(loginUpstream('there', {}, agent)).rejects.toMatchObject({ code: 'OPERATOR_REQUIRED' })
})

test('reports servers without sign-in', async () => {
  await declare()
  await expect(loginUpstream('nowhere', {}, person('y').io)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(loginUpstream('here', {}, person('y').io)).rejects.toMatchObject({ code: 'USAGE' })
  await expect(logoutUpstream('there', {}, person('y').io)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
