/** The folder that `ctxd tls issue` writes, on the caller's machine (`CONTEXTD_TLS=DIR`). */

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import { storeError } from '../files/store-error.ts'
import type { Certified } from './authority.ts'
import { validityProblem } from './certificate.ts'
import type { TlsContext } from './open-tls.ts'
import { keyPem, pem } from './tls-folder.ts'

const fileNames = { ca: 'ca.pem', cert: 'cert.pem', key: 'key.pem' } as const

export function writeClientTls(
  folder: string,
  { certificate, key }: Certified,
  authority: X509Certificate,
): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const keyFile = join(folder, fileNames.key)
    // Replacing a file preserves its mode.
    if (lstatSync(keyFile, { throwIfNoEntry: false })?.isFile()) chmodSync(keyFile, 0o600)
    replaceFile(keyFile, keyPem(key), 'replaced')
    replaceFile(join(folder, fileNames.cert), pem(certificate), 'replaced')
    replaceFile(join(folder, fileNames.ca), pem(authority), 'replaced')
  } catch (error) {
    throw storeError(error, folder)
  }
}

/**
 * Throws CERTIFICATE_UNUSABLE, also for an expired or not yet valid certificate: the server would only close the
 * connection.
 */
export function readClientTls(folder: string, clock: Clock = Date.now): TlsContext {
  const [ca, cert, key] = (['ca', 'cert', 'key'] as const).map((part) =>
    readPart(join(folder, fileNames[part])),
  ) as [string, string, string]
  const keyFile = join(folder, fileNames.key)
  const { mode } = lstatSync(keyFile)
  if ((mode & 0o077) !== 0) {
    throw unusable(
      `${keyFile} is open to other users (mode ${(mode & 0o777).toString(8)})`,
      `Close it with \`chmod go= ${keyFile}\`.`,
    )
  }
  const problem = problemOf(cert, key, ca, clock())
  if (problem !== undefined) throw unusable(`${join(folder, fileNames.cert)} ${problem}`)
  return { ca: [ca], cert, key }
}

function problemOf(cert: string, key: string, ca: string, now: number): string | undefined {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return 'does not match the key next to it'
    if (!certificate.verify(new X509Certificate(ca).publicKey))
      return 'was not issued by the ca.pem next to it'
  } catch {
    return 'and the files next to it are not what `ctxd tls issue` wrote'
  }
  return validityProblem(certificate, now)
}

function readPart(path: string): string {
  const read = readSmallFile(path)
  if (read.kind === 'missing') throw unusable(`${path} is missing`)
  if (read.kind === 'unreadable') throw unusable(`${path} ${read.why}`)
  return read.bytes.toString()
}

function unusable(problem: string, hint?: string): ContextdError {
  return new ContextdError('CERTIFICATE_UNUSABLE', { problem, hint })
}
