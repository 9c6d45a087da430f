import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { fakeIo } from '@contextd/shared/testing/cli-io'
import { ownPort } from '../../../../test/support/own-port.ts'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { doorUrl } from '../../../clients/model-door/door-url.ts'
import { openRecords } from '../../../compose.ts'
import { LOCAL_TENANT } from '../../../core/call.ts'
import { createModelKeys, ensureModelKey } from '../../../platform/secrets/model-keys.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { serveHookSocket } from '../../../servers/local/hook-socket.ts'
import { checkDoor } from './check-door.ts'
import type { CheckResult } from './checkup.ts'

let home: TempHome
let port: number
beforeEach(async () => {
  home = makeTempHome()
  port = await ownPort()
  home.write('config/config.toml', `[http]\nport = ${port}\n`)
})
afterEach(() => home.remove())

const person = (): string => join(home.path, 'person')
const check = (env: NodeJS.ProcessEnv = {}): Promise<CheckResult> =>
  checkDoor(fakeIo({ env: { ...home.env, HOME: person(), ...env }, cwd: home.project }).io)

function withKeys<T>(work: (keys: ReturnType<typeof createModelKeys>) => T): T {
  const records = openRecords(home.env)
  try {
    return work(createModelKeys(records.store, LOCAL_TENANT, Date.now, randomBytes))
  } finally {
    records.close()
  }
}

const newUrl = (): string => {
  const key = withKeys((keys) => ensureModelKey(resolvePaths(home.env), keys, 'claude-code'))
  return doorUrl({ port, key, provider: 'anthropic' })
}
const put = (file: string, env: object): string => home.write(file, JSON.stringify({ env }))
const local = 'project/.claude/settings.local.json'

it('reports off if the door was never turned on', async () => {
  expect(await check()).toMatchObject({ status: 'ok', message: expect.stringContaining('off') as string })
})

it('passes before the first start, unless automatic start is disabled', async () => {
  put(local, { ANTHROPIC_BASE_URL: newUrl() })
  expect(await check()).toMatchObject({ status: 'ok' })
  home.write('config/config.toml', `[http]\nport = ${port}\n[control]\nautostart = false\n`)
  expect(await check()).toMatchObject({
    status: 'fail',
    fix: expect.stringContaining('ctxd start') as string,
  })
})

it('detects a daemon on another port', async () => {
  put(local, { ANTHROPIC_BASE_URL: newUrl() })
  const { run, hookSocket } = resolvePaths(home.env)
  ensurePrivateFolder(run)
  const socket = await serveHookSocket(hookSocket, {
    status: () => ({ pid: process.pid, mcp: 'http://127.0.0.1:1/mcp' }),
  })
  let server: Server | undefined
  try {
    expect(await check()).toMatchObject({
      status: 'fail',
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    })
    server = createServer((_, response) => response.writeHead(404).end()).listen(port, '127.0.0.1')
    await once(server, 'listening')
    expect(await check()).toMatchObject({ status: 'ok' })
  } finally {
    server?.close()
    socket.close()
  }
})

it('detects a revoked key', async () => {
  put(local, { ANTHROPIC_BASE_URL: newUrl() })
  withKeys((keys) => keys.revoke(keys.list()[0]?.id ?? ''))
  expect(await check()).toMatchObject({
    status: 'fail',
    message: expect.stringContaining('revoked') as string,
  })
})

it('detects a changed port', async () => {
  put(local, { ANTHROPIC_BASE_URL: newUrl() })
  home.write('config/config.toml', '[http]\nport = 1234\n')
  expect(await check()).toMatchObject({
    status: 'fail',
    message: expect.stringContaining('a different port') as string,
    fix: expect.stringContaining('ctxd init') as string,
  })
})

it('detects settings that redirect the client', async () => {
  const persons = 'person/.claude/settings.json'
  put(persons, { ANTHROPIC_BASE_URL: newUrl() })
  // Settings override the environment.
  expect(await check({ ANTHROPIC_BASE_URL: 'https://other.example' })).toMatchObject({ status: 'ok' })
  const file = put('project/.claude/settings.json', { ANTHROPIC_BASE_URL: 'https://other.example' })
  expect(await check()).toMatchObject({ status: 'fail', message: expect.stringContaining(file) as string })
  put('project/.claude/settings.json', {})
  expect(await check({ HTTPS_PROXY: 'http://proxy.example' })).toMatchObject({
    status: 'fail',
    message: expect.stringContaining('HTTPS_PROXY') as string,
  })
})

it('detects settings that disable the guard', async () => {
  put(local, { ANTHROPIC_BASE_URL: newUrl() })
  const file = home.write('project/.claude/settings.json', '{"disableAllHooks":true}')
  expect(await check()).toMatchObject({ status: 'fail', fix: `remove disableAllHooks from ${file}` })
})
