import { mkdtempSync, writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { grpcDoor, type GrpcDoor } from '../../../test/control/grpc-door.ts'
import { doorTools } from '../../../test/support/door-tools.ts'
import type { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import {
  createAuthority,
  day,
  issueCaller,
  issueServer,
  type CertificateSubject,
} from '../../platform/tls/authority.ts'
import { keyPem, pem } from '../../platform/tls/tls-folder.ts'
import { openRemote, remotePlace, type RemoteApi } from './remote.ts'

let door: GrpcDoor
const opened: RemoteApi[] = []

beforeAll(async () => {
  door = await grpcDoor({ tls: true, tools: doorTools() })
})
afterAll(async () => {
  for (const remote of opened) remote.close()
  await door.close()
})

function folderWith(files: { ca: string; cert: string; key: string }): string {
  const folder = mkdtempSync(join(door.home, 'tls-'))
  for (const name of ['ca', 'cert', 'key'] as const) {
    writeFileSync(join(folder, `${name}.pem`), files[name], { mode: 0o600 })
  }
  return folder
}

async function remoteFor(caller: CertificateSubject): Promise<RemoteApi> {
  const folder = folderWith(door.issue(caller))
  const remote = await openRemote({ address: addressOf(door), folder })
  opened.push(remote)
  return remote
}

/** By the name in the certificate. */
function addressOf({ tcp = '' }: GrpcDoor): string {
  return `localhost:${tcp.split(':').at(-1)}`
}

const operator: CertificateSubject = { kind: 'operator', id: 'ann' }

test('an operator has control from another machine, an agent is its agent', async () => {
  const person = await remoteFor(operator)
  expect(await person.call('Policy/List', {})).toMatchObject({ agents: ['main', 'default'] })
  const agent = await remoteFor({ kind: 'agent', id: 'main' })
  expect(await agent.call('Tools/Call', { name: 'echo' })).toHaveProperty('structured')
  for (const named of ['nobody', 'a\nb', 'a b', '']) {
    await expect(person.call('Tools/Call', { name: 'echo' }, { agent: named })).rejects.toMatchObject({
      code: 'INVALID_AGENT_ID',
    })
  }
  await expect(agent.call('Policy/List', {})).rejects.toMatchObject({
    code: 'DENIED_BY_POLICY',
    details: { agent: 'main', tool: 'policy.list', hint: expect.stringContaining('builtin.agents.main') },
  })
})

test('an error of the server arrives with all details', async () => {
  const person = await remoteFor(operator)
  await expect(person.call('Audit/Show', { call: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(
    person.call('Tools/Call', { name: 'safe_read', arguments: { path: 7 } }),
  ).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    details: { fields: [{ field: 'path', expected: 'string' }] },
  })
  await expect(person.stream('Index/Run', { path: 'a/b/none' }, () => {})).rejects.toMatchObject({
    code: expect.not.stringMatching('INTERNAL'),
  })
  await expect(person.call('Audit/Erase', {})).rejects.toHaveProperty('code')
  await expect(person.call('Tools/List', {}, { agent: 'nobody' })).rejects.toMatchObject({
    code: 'INVALID_AGENT_ID',
  })
  await expect(person.call('Tools/List', {}, { session: 'none' })).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
  })
})

test('a stream delivers its events and then its result', async () => {
  const person = await remoteFor(operator)
  const events: JsonObject[] = []
  const result = await person.stream('Tools/Execute', { name: 'echo' }, (event) => void events.push(event))
  expect(result).toHaveProperty('structured')
  expect(events.every((event) => !('result' in event))).toBe(true)
})

test('the caller ends an endless stream', async () => {
  const person = await remoteFor(operator)
  const stop = new AbortController()
  const followed = person.stream('Audit/Tail', { follow: true, limit: 1 }, () => stop.abort(), {
    signal: stop.signal,
  })
  const cancelled = expect(followed).rejects.toMatchObject({ code: 'CANCELLED' })
  await person.call('Tools/List', {})
  await cancelled
  // The connection is still usable for the next call.
  expect(await person.call('Tools/List', {})).toHaveProperty('tools')
  await expect(person.call('Tools/List', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'CANCELLED',
  })
})

test("passes the caller's deadline to the server", async () => {
  const person = await remoteFor(operator)
  await expect(person.stream('Config/Watch', {}, () => {}, { timeoutMs: 200 })).rejects.toMatchObject({
    code: 'TIMEOUT',
  })
})

test('refuses a foreign certificate, and a foreign server', async () => {
  const authority = createAuthority(Date.now())
  const times = { now: Date.now(), life: day }
  const foreign = issueCaller(authority, operator, times)
  const files = { ca: pem(authority.certificate), cert: pem(foreign.certificate), key: keyPem(foreign.key) }
  await expect(openRemote({ address: addressOf(door), folder: folderWith(files) })).rejects.toMatchObject({
    code: 'DAEMON_UNREACHABLE',
    message: expect.stringContaining('not issued by the authority in CONTEXTD_TLS'),
  })
  const server = issueServer(authority, ['localhost'], times)
  const strange = createSecureServer({ cert: pem(server.certificate), key: keyPem(server.key) })
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve))
  const address = `localhost:${(strange.address() as AddressInfo).port}`
  const good = folderWith(door.issue(operator))
  await expect(openRemote({ address, folder: good })).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' })
  strange.close()
})

test('refuses a revoked certificate at the next call', async () => {
  const shown = door.issue(operator)
  const remote = await openRemote({ address: addressOf(door), folder: folderWith(shown) })
  opened.push(remote)
  expect(await remote.call('Policy/List', {})).toHaveProperty('agents')
  door.revoke(shown.serial)
  await expect(remote.call('Policy/List', {})).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:UNAUTHORIZED|CERTIFICATE_REQUIRED|DAEMON_LOST)$/),
  })
  const again = await openRemote({ address: addressOf(door), folder: folderWith(shown) })
  opened.push(again)
  const refused = again.call('Policy/List', {}).catch((error: ContextdError) => error.toObject())
  expect(await refused).toMatchObject({ hint: expect.stringContaining('no longer accepts this certificate') })
})

test('reports a missing server, address or folder', async () => {
  const folder = folderWith(door.issue(operator))
  await expect(openRemote({ address: 'localhost:1', folder })).rejects.toMatchObject({
    code: 'DAEMON_UNREACHABLE',
    message: expect.stringContaining('nothing listens there'),
  })
  for (const address of ['localhost', 'http://localhost:1', 'a b:1', '', 'localhost:99999', '[:]:1']) {
    await expect(openRemote({ address, folder })).rejects.toThrow('it is not host:port')
  }
  await expect(
    openRemote({ address: addressOf(door), folder: join(door.home, 'none') }),
  ).rejects.toMatchObject({
    code: 'CERTIFICATE_UNUSABLE',
  })
  expect(() => remotePlace({ CONTEXTD_ADDR: 'localhost:1' })).toThrow('CONTEXTD_TLS')
  expect(remotePlace({ CONTEXTD_ADDR: 'a:1', CONTEXTD_TLS: '/x' })).toEqual({ address: 'a:1', folder: '/x' })
})

test('a server that ends during a call', async () => {
  const authority = createAuthority(Date.now())
  const made = issueServer(authority, ['localhost'], { now: Date.now(), life: day })
  const failing = createSecureServer({ cert: pem(made.certificate), key: keyPem(made.key) })
  // One that disconnects before it answers, and one in the middle of its answer.
  failing.on('stream', (stream, { ':path': path }) => {
    if (path?.endsWith('List') === true) return stream.session?.destroy()
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    return stream.write('{"agents":', () => stream.session?.destroy())
  })
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
  const address = `localhost:${(failing.address() as AddressInfo).port}`
  // A server with its own authority and certificate, because the test concerns what follows the handshake.
  const own = issueCaller(authority, operator, { now: Date.now(), life: day })
  const folder = folderWith({
    ca: pem(authority.certificate),
    cert: pem(own.certificate),
    key: keyPem(own.key),
  })
  for (const rpc of ['Policy/List', 'Policy/Check']) {
    const remote = await openRemote({ address, folder })
    await expect(remote.call(rpc, {})).rejects.toMatchObject({ code: 'DAEMON_LOST', details: { rpc } })
    await expect(remote.call(rpc, {})).rejects.toMatchObject({
      code: 'DAEMON_LOST',
      details: { hint: expect.stringContaining('not sent') },
    })
  }
  failing.close()
})

test('a call that ends without a response, and answers that are any JSON', async () => {
  const authority = createAuthority(Date.now())
  const times = { now: Date.now(), life: day }
  const made = issueServer(authority, ['localhost'], times)
  const other = createSecureServer({ cert: pem(made.certificate), key: keyPem(made.key) })
  let deep: JsonObject = { of: 'a later version' }
  for (let level = 0; level < 90; level += 1) deep = { deep }
  other.on('stream', (stream, { ':path': path }) => {
    if (path?.endsWith('List') === true) return stream.close()
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    return stream.end(JSON.stringify(deep))
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = `localhost:${(other.address() as AddressInfo).port}`
  const own = issueCaller(authority, operator, times)
  const files = { ca: pem(authority.certificate), cert: pem(own.certificate), key: keyPem(own.key) }
  const remote = await openRemote({ address, folder: folderWith(files) })
  await expect(remote.call('Policy/List', {})).rejects.toMatchObject({ code: 'DAEMON_LOST' })
  expect(await remote.call('Policy/Check', {})).toEqual(deep)
  remote.close()
  other.close()
})
