import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type ConnectionOptions } from 'node:tls'

import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createAuthority, day, issueCaller } from '../../src/platform/tls/authority.ts'
import { keyPem, pem } from '../../src/platform/tls/tls-folder.ts'
import { doorTools } from '../support/door-tools.ts'
import { LOCAL_TENANT } from '../../src/core/call.ts'
import { createAuditReader } from '../../src/stages/audit/query.ts'
import { until } from '@contextd/shared/testing/until'
import { grpcDoor, type GrpcDoor, type Shown } from './grpc-door.ts'
import { foreignClient, type ForeignClient, type Reply } from './grpc-foreign.ts'

let door: GrpcDoor
const clients: ForeignClient[] = []

beforeAll(async () => {
  door = await grpcDoor({ tls: true, tools: doorTools() })
})
afterAll(async () => {
  for (const client of clients) client.close()
  await door.close()
})

function clientWith(shown: Pick<Shown, 'ca'> & Partial<Shown>): ForeignClient {
  const client = foreignClient(`localhost:${portOf(door)}`, shown)
  clients.push(client)
  return client
}

function portOf({ tcp = '' }: GrpcDoor): number {
  return Number(tcp.split(':').at(-1))
}

const soon = { deadlineMs: 5000 }

test('a certificate identifies an agent, like a token', async () => {
  const client = clientWith(door.issue({ kind: 'agent', id: 'main' }))
  expect(await client.unary('Tools/Call', { name: 'echo' })).toHaveProperty('structured')
  const operator = foreignClient(`unix:${door.socket}`)
  clients.push(operator)
  const { entries } = await operator.unary('Audit/Query', { tool: 'echo', limit: 1 })
  expect(entries).toMatchObject([{ agent: 'main', level: 'token', door: 'grpc' }])
})

test('it cannot be another agent or the operator; the operator can use another machine', async () => {
  const agent = clientWith(door.issue({ kind: 'agent', id: 'main' }))
  await expect(agent.unary('Policy/List')).rejects.toMatchObject({ code: status.PERMISSION_DENIED })
  const as = (name: string): object => ({ metadata: { 'contextd-agent': name } })
  await expect(agent.unary('Tools/List', {}, as('default'))).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
  })

  const operator = clientWith(door.issue({ kind: 'operator', id: 'ann' }))
  expect(await operator.unary('Policy/List')).toMatchObject({ agents: ['main', 'default'] })
})

test('folders of this machine cannot be used from another one', async () => {
  const operator = clientWith(door.issue({ kind: 'operator', id: 'ann' }))
  const metadata = { 'contextd-workspace': '/' }
  await operator.unary('Tools/Call', { name: 'echo' }, { metadata })
  const { entries } = await operator.unary('Audit/Query', { tool: 'echo', limit: 1 })
  expect(entries).toMatchObject([{ project: door.runtime.project }])
})

function foreignShown(): Shown {
  const authority = createAuthority(Date.now())
  const made = issueCaller(authority, { kind: 'operator', id: 'ann' }, { now: Date.now(), life: day })
  const { ca } = door.issue({ kind: 'operator', id: 'ann' })
  return { ca, cert: pem(made.certificate), key: keyPem(made.key), serial: '' }
}

test('without a certificate, or with one of another authority, callers are rejected without details', async () => {
  const good = door.issue({ kind: 'operator', id: 'ann' })
  for (const client of [clientWith({ ca: good.ca }), clientWith(foreignShown())]) {
    for (const rpc of ['Policy/List', 'grpc.health.v1.Health/Check']) {
      const refused = await client.unary(rpc, {}, soon).then(
        () => ({ code: status.OK, details: '' }),
        (error: { code: number; details: string }) => error,
      )
      expect([status.UNAVAILABLE, status.DEADLINE_EXCEEDED]).toContain(refused.code)
      expect(refused.details).not.toMatch(/certificate of|revoked|authority/)
    }
  }
  expect(await clientWith(good).unary('grpc.health.v1.Health/Check')).toMatchObject({ status: 1 })
  expect(door.log.join('\n')).toContain('a caller was refused')
})

test('revoking a certificate ends open connections and their streams', async () => {
  const shown = door.issue({ kind: 'operator', id: 'ben' })
  const client = clientWith(shown)
  expect(await client.unary('Policy/List')).toHaveProperty('agents')
  const tail = client.stream('Audit/Tail', { limit: 1 })
  const heard: Reply[] = []
  tail.on('data', (event: Reply) => heard.push(event))
  await until(() => heard.length > 0)
  const ended = once(tail, 'error')

  door.revoke(shown.serial)
  await until(async () => {
    const code = await client.unary('Policy/List').then(
      () => status.OK,
      (error: { code: status }) => error.code,
    )
    return code === status.UNAUTHENTICATED
  })
  const { store } = door.runtime
  const audit = createAuditReader({ store, tenant: LOCAL_TENANT, clock: Date.now })
  const [refused] = audit.query({ event: 'certificate-refused', limit: 1 })
  expect(refused?.details).toMatchObject({ why: expect.stringContaining('was revoked at') })
  const before = heard.length
  door.runtime.audit.event('after-revocation', {})
  expect((await ended)[0]).toMatchObject({ code: status.UNAUTHENTICATED })
  expect(JSON.stringify(heard.slice(before))).not.toContain('after-revocation')
})

test('only TLS 1.3 and HTTP/2 are accepted', async () => {
  const { ca, cert, key } = door.issue({ kind: 'operator', id: 'ann' })
  const handshake = async (options: ConnectionOptions): Promise<string | false | null> => {
    const socket = connect({
      port: portOf(door),
      host: '127.0.0.1',
      servername: 'localhost',
      ca,
      cert,
      key,
      ...options,
    })
    try {
      await once(socket, 'secureConnect')
      return socket.alpnProtocol
    } finally {
      socket.destroy()
    }
  }
  await expect(handshake({ maxVersion: 'TLSv1.2', ALPNProtocols: ['h2'] })).rejects.toThrow()
  await expect(handshake({ ALPNProtocols: ['http/1.1'] })).rejects.toThrow()
  expect(await handshake({ ALPNProtocols: ['h2'] })).toBe('h2')
})

test('plain HTTP/2 gets no response', async () => {
  const session = connectHttp2(`http://127.0.0.1:${portOf(door)}`)
  const closed = once(session, 'close')
  session.on('error', () => {})
  await closed
  expect(session.destroyed).toBe(true)
})
