import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createSecureServer, type ClientHttp2Session, type Http2SecureServer } from 'node:http2'
import { connect as connectPlain, type AddressInfo } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { heldBy, makeTlsPlace, type TlsPlaceHere } from '../../../test/support/tls-place.ts'
import { createAuthority, day, issueCaller, type Certified } from './authority.ts'
import {
  clientUse,
  extendedUse,
  issuerKeyId,
  notAuthority,
  serialOf,
  serverUse,
  signCertificate,
  subjectOf,
  uriName,
  validityOf,
} from './certificate.ts'
import { finishRotation, renewServer, startRotation, requireTlsFolder } from './changes.ts'
import { der, octets, oid, sequence } from './der.ts'
import { issuedCertificates } from './issued.ts'
import type { OpenTls, TlsPeer, TlsContext } from './open-tls.ts'
import { admitPeers, keepCertificateCurrent, serverOptions } from './serve-tls.ts'

interface Door {
  readonly port: number
  readonly server: Http2SecureServer
  readonly tls: OpenTls
  /** Who was admitted, and what was logged about refusals. */
  readonly seen: TlsPeer[]
  readonly refusals: string[]
}

async function open(place: TlsPlaceHere): Promise<Door> {
  const tls = place.open()
  const seen: TlsPeer[] = []
  const refusals: string[] = []
  const server = createSecureServer(serverOptions(tls))
  server.on('stream', (stream) => {
    const peer = tls.identify((stream.session!.socket as TLSSocket).getPeerX509Certificate())
    seen.push(peer)
    stream.respond({ ':status': 'refused' in peer ? 401 : 200 })
    stream.end('refused' in peer ? '' : `hello ${peer.kind} ${peer.id}`)
  })
  admitPeers(server, tls, { log: () => {}, onEvent: (_, { why }) => void refusals.push(why as string) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, server, tls, seen, refusals }
}

/** The response, or how the connection ended. */
async function call(door: Door, held: Partial<TlsContext>): Promise<string> {
  const session = connect(`https://localhost:${door.port}`, held)
  try {
    return await ask(session)
  } finally {
    session.destroy()
  }
}

function ask(session: ClientHttp2Session): Promise<string> {
  return new Promise((resolve) => {
    session.on('error', (error: NodeJS.ErrnoException) => resolve(`no answer: ${error.code}`))
    session.on('close', () => resolve('no answer: closed'))
    const stream = session.request({ ':path': '/' })
    let text = ''
    stream.on('response', (headers) => (text += `${headers[':status']} `))
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    stream.on('error', () => {})
    stream.on('end', () => resolve(text || 'no answer: ended'))
  })
}

test.each([
  ['agent', 'contextd:scanner'],
  ['operator', 'ada'],
] as const)('a certificate of %s %s is who it says, over TLS 1.3', async (kind, id) => {
  const place = makeTlsPlace()
  const door = await open(place)
  const held = place.issue(kind, id)
  expect(await call(door, held)).toBe(`200 hello ${kind} ${id}`)
  const socket = connectTls({ host: 'localhost', port: door.port, ALPNProtocols: ['h2'], ...held })
  await once(socket, 'secureConnect')
  expect([socket.getProtocol(), socket.authorized]).toEqual(['TLSv1.3', true])
  socket.destroy()
  expect(door.refusals).toEqual([])
})

/** Signed by our own authority, which requires its key, and recorded under `name` if given. */
function forge(
  place: TlsPlaceHere,
  { names, use = clientUse, record }: { names: Buffer; use?: string; record?: string },
): TlsContext {
  const { authority } = requireTlsFolder(place.folder)
  const own = issueCaller(authority, { kind: 'agent', id: 'any' }, { now: Date.now(), life: day })
  const certificate = signCertificate(
    {
      subject: 'contextd agent',
      subjectKey: own.certificate.publicKey,
      issuer: subjectOf(authority.certificate),
      validity: validityOf(own.certificate),
      extensions: [notAuthority, extendedUse(use), names, issuerKeyId(authority.certificate.publicKey)],
    },
    authority.key,
  )
  if (record !== undefined) {
    issuedCertificates(place.store, place.tenant, place.clock).add(certificate, {
      kind: 'agent',
      name: record,
      authority: authority.certificate,
    })
  }
  return heldBy({ certificate, key: own.key }, authority)
}

const main = uriName('spiffe://contextd/agent/main')

const uris = (...all: string[]): Buffer =>
  sequence(oid('2.5.29.17'), octets(sequence(...all.map((uri) => der(0x86, Buffer.from(uri))))))

function foreign(place: TlsPlaceHere): TlsContext {
  const theirs: Certified = createAuthority(Date.now())
  const made = issueCaller(theirs, { kind: 'agent', id: 'main' }, { now: Date.now(), life: day })
  // The client trusts our server.
  return heldBy(made, requireTlsFolder(place.folder).authority)
}

function selfSigned(place: TlsPlaceHere): TlsContext {
  const { ca } = place.issue('agent', 'main')
  return { ...makeAuthority().issue('localhost'), ca }
}

test.each<[string, (place: TlsPlaceHere) => Partial<TlsContext>, RegExp]>([
  ['no certificate', (place) => ({ ca: place.issue('agent', 'main').ca }), /^no certificate was presented$/],
  [
    'one of another authority, with our names',
    foreign,
    /^the certificate with the fingerprint [0-9a-f]{64} was not issued by our authority$/,
  ],
  ['a self-signed one', selfSigned, /was not issued by our authority$/],
  [
    'the certificate of the server itself',
    (place) => ({ ...place.open().context(), ca: place.issue('agent', 'main').ca }),
    /is a server certificate, which identifies no caller$/,
  ],
  [
    'one that we signed but did not record',
    (place) => forge(place, { names: main }),
    /is not recorded here$/,
  ],
  [
    'one for servers',
    (place) => forge(place, { names: main, use: serverUse, record: 'main' }),
    /is not meant for client authentication$/,
  ],
  [
    'one with two names',
    (place) =>
      forge(place, {
        names: uris('spiffe://contextd/agent/main', 'spiffe://contextd/agent/b'),
        record: 'main',
      }),
    /does not contain exactly one contextd name$/,
  ],
  [
    'one whose name contains a second one',
    (place) =>
      forge(place, {
        names: uris('spiffe://contextd/agent/main, URI:spiffe://contextd/agent/b'),
        record: 'main',
      }),
    /does not contain exactly one contextd name$/,
  ],
  [
    'one whose name has invalid characters',
    (place) => forge(place, { names: uris('spiffe://contextd/agent/m\u0000ain\n"'), record: 'main' }),
    /does not contain exactly one contextd name$/,
  ],
  [
    'one of another trust domain',
    (place) => forge(place, { names: uris('spiffe://elsewhere/agent/main'), record: 'main' }),
    /does not contain exactly one contextd name$/,
  ],
  [
    'one that is recorded under another name',
    (place) => forge(place, { names: main, record: 'other' }),
    /has a different name than the recorded one$/,
  ],
])('%s is refused: we log the reason, the peer does not learn it', async (_, make, why) => {
  const place = makeTlsPlace()
  const door = await open(place)
  expect(await call(door, make(place))).toMatch(/^no answer/)
  expect(door.refusals).toEqual([expect.stringMatching(why)])
  expect(door.seen).toEqual([])
  // A response would contain this.
  expect(await call(door, forge(place, { names: main, record: 'main' }))).toBe('200 hello agent main')
  expect(door.seen).toHaveLength(1)
})

test.each([
  ['expired', 2 * day, /was valid until 2\d{3}-.*Z; this machine's clock says 2\d{3}-.*Z$/],
  ['not valid yet', -day, /is valid from 2\d{3}-.*Z; this machine's clock says 2\d{3}-.*Z$/],
])('one that is %s is refused, with both times', async (_, shift, why) => {
  const place = makeTlsPlace()
  const door = await open(place)
  const held = place.issue('agent', 'main')
  expect(await call(door, held)).toBe('200 hello agent main')
  place.pass(shift)
  expect(await call(door, held)).toMatch(/^no answer/)
  expect(door.refusals).toEqual([expect.stringMatching(why)])
})

test('a revoked certificate is refused immediately, even on an open connection', async () => {
  const place = makeTlsPlace()
  const door = await open(place)
  const [held, other] = [place.issue('agent', 'main'), place.issue('agent', 'other')]
  const session = connect(`https://localhost:${door.port}`, held)
  onTestFinished(() => session.destroy())
  expect(await ask(session)).toBe('200 hello agent main')
  const issued = issuedCertificates(place.store, place.tenant, place.clock)
  const { serial } = door.seen[0] as { serial: string }
  expect(door.tls.isLive(serial)).toBe(true)
  issued.revoke(serial)
  expect(door.tls.isLive(serial)).toBe(false)
  expect(await ask(session)).toBe('401 ')
  expect(await call(door, held)).toMatch(/^no answer/)
  expect(door.refusals).toEqual([expect.stringMatching(/was revoked at 2\d{3}-.*Z$/)])
  expect(await call(door, other)).toBe('200 hello agent other')
})

test('TLS 1.2 and plain text are rejected', async () => {
  const place = makeTlsPlace()
  const door = await open(place)
  const held = place.issue('agent', 'main')
  const old = connectTls({ host: 'localhost', port: door.port, maxVersion: 'TLSv1.2', ...held })
  const [error] = (await once(old, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toMatch(/VERSION/)
  const plain = connectPlain(door.port, '127.0.0.1')
  plain.end('GET / HTTP/1.1\r\n\r\n')
  let answer = ''
  plain.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  await once(plain, 'close')
  expect(answer).not.toContain('HTTP')
  const failed = expect.stringMatching(/^the handshake failed \(ERR_SSL_\w+\)$/)
  expect(door.refusals).toEqual([failed, failed])
  expect(await call(door, held)).toBe('200 hello agent main')
})

/** What a client reports about a server with an unknown authority. */
const foreignServer = /^no answer: [A-Z_]*(?:VERIFY|SELF_SIGNED|ISSUER)/

test('clients accept only our server', async () => {
  const place = makeTlsPlace()
  const door = await open(place)
  const held = place.issue('agent', 'main')
  const impostor = await open(makeTlsPlace())
  expect(await call(impostor, held)).toMatch(foreignServer)
  expect(await call(door, held)).toBe('200 hello agent main')
})

test('a rotation invalidates the old certificates only when it is finished', async () => {
  const place = makeTlsPlace()
  const door = await open(place)
  const stop = keepCertificateCurrent(door.server, door.tls, () => {})
  onTestFinished(stop)
  const old = place.issue('agent', 'old')
  startRotation(place)
  const young = place.issue('agent', 'young')
  expect(young.ca).not.toEqual(old.ca)
  // The server has not checked yet: it learns of the new authority from the first client that uses it.
  expect(await call(door, { ...young, ca: old.ca })).toBe('200 hello agent young')
  const refresh = (): void => {
    if (door.tls.reload()) door.server.setSecureContext(serverOptions(door.tls))
  }
  door.server.setSecureContext(serverOptions(door.tls))
  // Each knows only one authority, and both trust the server, whose certificate is from the new one.
  expect(await call(door, old)).toBe('200 hello agent old')
  expect(await call(door, young)).toBe('200 hello agent young')
  finishRotation(place)
  expect(await call(door, old)).toMatch(/^no answer/)
  expect(door.refusals).toEqual([expect.stringMatching(/was revoked/)])
  refresh()
  expect(await call(door, young)).toBe('200 hello agent young')
  expect(await call(door, old)).toMatch(foreignServer)
})

test('a server renews its certificate in time and records that', async () => {
  const place = makeTlsPlace()
  const door = await open(place)
  const serial = (): string => serialOf(requireTlsFolder(place.folder).server.certificate)
  const before = serial()
  keepCertificateCurrent(door.server, door.tls, () => {})()
  expect([serial(), place.events]).toEqual([before, []])
  place.pass(25 * day)
  keepCertificateCurrent(door.server, door.tls, () => {})()
  expect(serial()).not.toBe(before)
  expect(place.events).toEqual([
    ['certificate-renewed', { kind: 'server', serial: serial(), not_after: expect.stringMatching(/Z$/) }],
  ])
  // By this test's clock, it only becomes valid in 25 days.
  const socket = connectTls({ host: 'localhost', port: door.port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  expect(socket.getPeerX509Certificate()?.serialNumber.toLowerCase()).toBe(serial())
  socket.destroy()
})

test('a folder damaged under a running server is reported once, and the server continues', async () => {
  const place = makeTlsPlace()
  const door = await open(place)
  const held = place.issue('agent', 'main')
  const said: string[] = []
  rmSync(`${place.folder}/server.key`)
  const stop = keepCertificateCurrent(
    door.server,
    door.tls,
    (severity, message, { cause } = {}) => void said.push(`${severity}: ${message}: ${cause as string}`),
  )
  onTestFinished(stop)
  expect(said).toEqual([
    expect.stringMatching(/^error: .*the old ones stay in use: .*server\.key is missing$/),
  ])
  expect(await call(door, held)).toBe('200 hello agent main')
})

test('a certificate renewed by another process is served too', async () => {
  const place = makeTlsPlace()
  const door = await open(place)
  expect(door.tls.reload()).toBe(false)
  renewServer(place)
  expect([door.tls.reload(), door.tls.reload(), place.events]).toEqual([true, false, []])
})
