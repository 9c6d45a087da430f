import { once } from 'node:events'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { realRuntime } from '../../../test/support/real-runtime.ts'
import { heldBy } from '../../../test/support/tls-place.ts'
import { until } from '@contextd/shared/testing/until'
import type { Runtime } from '../../compose.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import { createAuthority, day, issueCaller } from '../../platform/tls/authority.ts'
import { certifyCaller, setUpTls, requireTlsFolder, type TlsPlace } from '../../platform/tls/changes.ts'
import type { TlsContext } from '../../platform/tls/open-tls.ts'
import { pem } from '../../platform/tls/tls-folder.ts'
import { doorLimits, type DoorLimits } from '../limits/door-limits.ts'
import { limitHttp } from '../wire/http-limits.ts'
import { createHttpListener } from './tls.ts'

interface Door {
  readonly port: number
  readonly runtime: Runtime
  readonly place: TlsPlace
}

async function open({ tls, limits }: { tls: boolean; limits?: Partial<DoorLimits> }): Promise<Door> {
  const made = await realRuntime()
  const runtime: Runtime = { ...made, config: { ...made.config, http: { ...made.config.http, tls } } }
  const place = { folder: runtime.paths.tls, store: runtime.store, tenant: LOCAL_TENANT, clock: Date.now }
  setUpTls(place, ['localhost'])
  const listener = createHttpListener(runtime, (asked, response) => {
    response.end(JSON.stringify(listener.peerOf(asked) ?? 'nobody'))
  })
  const { server } = listener
  if (limits !== undefined) limitHttp(server, { ...doorLimits, ...limits }, () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    listener.stop()
    server.close()
    await made.close()
  })
  expect(listener.scheme).toBe(tls ? 'https' : 'http')
  return { port: (server.address() as AddressInfo).port, runtime, place }
}

async function get(port: number, held?: Partial<TlsContext>): Promise<unknown> {
  const options = { host: 'localhost', port, agent: false }
  const asked = (held === undefined ? requestPlain(options) : request({ ...options, ...held })).end()
  const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer>]
  let text = ''
  for await (const chunk of response) text += chunk.toString()
  return JSON.parse(text)
}

const refusals = ({ runtime }: Door): unknown[] =>
  runtime.store
    .rows('audit_entries', { tenant: LOCAL_TENANT })
    .all()
    .filter(({ event }) => event === 'certificate-refused')

test('over TLS a certificate identifies the caller, and is optional', async () => {
  const door = await open({ tls: true })
  const { authority, ...made } = certifyCaller(door.place, { kind: 'agent', id: 'main' }, day)
  const held = heldBy(made, authority)
  expect(await get(door.port, held)).toEqual({
    kind: 'agent',
    id: 'main',
    serial: made.certificate.serialNumber.toLowerCase(),
  })
  expect(await get(door.port, { ca: held.ca })).toBe('nobody')
  expect(refusals(door)).toHaveLength(0)
})

test('records a refused certificate', async () => {
  const door = await open({ tls: true })
  const stranger = createAuthority(Date.now())
  const made = issueCaller(stranger, { kind: 'agent', id: 'main' }, { now: Date.now(), life: day })
  const held = heldBy(made, requireTlsFolder(door.place.folder).authority)
  expect(await get(door.port, held)).toEqual({
    refused: expect.stringContaining('was not issued by our authority'),
  })
  expect(refusals(door)).toHaveLength(1)
})

test('with TLS, plain requests get no answer; without it they do', async () => {
  const secure = await open({ tls: true })
  await expect(get(secure.port)).rejects.toThrow()
  const plain = await open({ tls: false })
  expect(await get(plain.port)).toBe('nobody')
  const ca = [pem(requireTlsFolder(plain.place.folder).authority.certificate)]
  await expect(get(plain.port, { ca })).rejects.toThrow()
})

test('incomplete handshakes do not keep callers out', async () => {
  const door = await open({ tls: true, limits: { maxStrangers: 4 } })
  const ca = [pem(requireTlsFolder(door.place.folder).authority.certificate)]
  let gone = 0
  for (let n = 0; n < 20; n++) {
    const silent = connect(door.port, '127.0.0.1').on('error', () => {})
    silent.on('close', () => gone++)
    onTestFinished(() => void silent.destroy())
  }
  await until(() => gone >= 16)
  expect(await get(door.port, { ca })).toBe('nobody')
  expect(gone).toBeLessThan(20)
})

test('does not start with `http.tls` and without certificates', async () => {
  const made = await realRuntime()
  onTestFinished(() => made.close())
  const start = (tls: boolean) => () =>
    createHttpListener({ ...made, config: { ...made.config, http: { ...made.config.http, tls } } }, () => {})
  expect(start(true)).toThrow(expect.objectContaining({ code: 'TLS_NOT_SET_UP' }))
  expect(start(false)).not.toThrow()
})
