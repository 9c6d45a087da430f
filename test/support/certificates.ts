import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import tls from 'node:tls'

import { onTestFinished, vi } from 'vitest'

/** A key and its certificate, in the form that servers accept. */
export interface Certified {
  readonly key: string
  readonly cert: string
}

export interface Authority {
  /** The certificate that clients trust. */
  readonly ca: string
  /** Issues a certificate for names and IPv4 addresses. */
  issue(...hosts: string[]): Certified
}

/** Creates an authority: tests of TLS need neither committed keys nor another program. */
export function makeAuthority(): Authority {
  const keys = newKeys()
  const name = `Test authority ${randomBytes(4).toString('hex')}`
  const isAuthority = extension('551d13', der(0x30, der(0x01, Buffer.of(0xff))), true)
  const ca = certificate(
    { subject: name, subjectKey: keys.publicKey, issuer: name, extensions: [isAuthority] },
    keys,
  )
  return {
    ca,
    issue(...hosts) {
      const own = newKeys()
      const names = hosts.map((host) =>
        isIP(host) === 4
          ? der(0x87, Buffer.from(host.split('.').map(Number)))
          : der(0x82, Buffer.from(host, 'ascii')),
      )
      const extensions = [extension('551d11', der(0x30, ...names))]
      const cert = certificate(
        { subject: 'Test server', subjectKey: own.publicKey, issuer: name, extensions },
        keys,
      )
      return { key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
    },
  }
}

/** Trusts the authorities until the end of the test, like NODE_EXTRA_CA_CERTS does for a whole process. */
export function trustInThisProcess(...authorities: Pick<Authority, 'ca'>[]): void {
  const { createSecureContext } = tls
  const ca = [...tls.rootCertificates, ...authorities.map((authority) => authority.ca)]
  const spy = vi
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) => createSecureContext({ ...options, ca: options?.ca ?? ca }))
  onTestFinished(() => spy.mockRestore())
}

interface Keys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

function newKeys(): Keys {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

interface CertificateParts {
  readonly subject: string
  readonly subjectKey: KeyObject
  readonly issuer: string
  readonly extensions: readonly Buffer[]
}

function certificate(parts: CertificateParts, issuerKeys: Keys): string {
  const day = 86_400_000
  const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    commonName(parts.issuer),
    der(0x30, time(Date.now() - day), time(Date.now() + day)),
    commonName(parts.subject),
    parts.subjectKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...parts.extensions)),
  )
  const signature = sign('sha256', body, issuerKeys.privateKey)
  const encoded = der(0x30, body, ecdsaWithSha256, der(0x03, Buffer.of(0), signature))
  const lines = encoded.toString('base64').match(/.{1,64}/g)!
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function commonName(text: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(text)))))
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)
  return der(0x18, Buffer.from(`${digits}Z`))
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return der(0x30, oid(id), ...(critical ? [der(0x01, Buffer.of(0xff))] : []), der(0x04, value))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** Tag, length, value. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const size = value.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), value])
}
