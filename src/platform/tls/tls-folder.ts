/**
 * The folder of our certificates: `ca.pem`, `ca.key`, `server.pem`, `server.key`. It is created by a single rename,
 * and every later change is a sequence of renames, after each of which the folder is valid: an interrupted process
 * leaves the old state, the new state, or a valid intermediate one.
 */

import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import { storeError } from '../files/store-error.ts'
import type { Certified } from './authority.ts'

export interface TlsFolder {
  /** The accepted authorities: two during a rotation. */
  readonly authorities: readonly X509Certificate[]
  /** The one that issues certificates. */
  readonly authority: Certified
  /** The new authority, cross-signed by the old one, during a rotation. */
  readonly bridges: readonly X509Certificate[]
  readonly server: Certified
}

const files = ['ca.pem', 'ca.key', 'server.pem', 'server.key'] as const
type FileName = (typeof files)[number]

/** Undefined if TLS was never set up. Throws TLS_FOLDER_DAMAGED if the folder is incomplete or invalid. */
export function readTlsFolder(folder: string): TlsFolder | undefined {
  if (!hasContent(folder)) return undefined
  const [caPem, caKeys, serverPem, serverKeys] = files.map((name) => readPart(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  const known = readCertificates(folder, 'ca.pem', caPem)
  const authorities = known.filter((one) => one.ca && one.checkIssued(one) && one.verify(one.publicKey))
  const authority = pairOf(authorities, readKeys(folder, 'ca.key', caKeys))
  if (authority === undefined)
    throw damaged(join(folder, 'ca.key'), 'is not the key of an authority in ca.pem')
  const server = pairOf(
    readCertificates(folder, 'server.pem', serverPem),
    readKeys(folder, 'server.key', serverKeys),
  )
  if (server === undefined) throw damaged(join(folder, 'server.key'), 'is not the key of server.pem')
  if (issuerOf(server.certificate, authorities) === undefined) {
    throw damaged(join(folder, 'server.pem'), 'was not issued by an authority in ca.pem')
  }
  const bridges = known.filter((one) => !authorities.includes(one))
  return { authorities, authority, bridges, server }
}

/** The authority that signed it. */
export function issuerOf(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
): X509Certificate | undefined {
  return authorities.find((one) => certificate.checkIssued(one) && certificate.verify(one.publicKey))
}

/** Changes whenever a file is replaced. */
export function folderVersion(folder: string): string {
  return files
    .map((name) => {
      const found = lstatSync(join(folder, name), { throwIfNoEntry: false })
      return found === undefined ? '-' : `${found.ino}:${found.mtimeMs}:${found.size}`
    })
    .join(' ')
}

/** Creates the folder. Existing content is moved to `aside` if given; otherwise there must be none. */
export function createTlsFolder(
  folder: string,
  parts: { authority: Certified; server: Certified },
  aside?: string,
): void {
  const draft = `${folder}.new`
  const clear = (): void => rmSync(draft, { recursive: true, force: true })
  withStoreErrors(folder, () => {
    // Left over from an interrupted attempt, and never used.
    clear()
    try {
      mkdirSync(draft, { recursive: true, mode: 0o700 })
      write(draft, 'ca.pem', pem(parts.authority.certificate))
      write(draft, 'ca.key', keyPem(parts.authority.key))
      write(draft, 'server.pem', pem(parts.server.certificate))
      write(draft, 'server.key', keyPem(parts.server.key))
      if (aside !== undefined) renameSync(folder, aside)
      // Fails if something exists there.
      renameSync(draft, folder)
      flushFolder(dirname(folder))
    } finally {
      // It contains keys, so nothing may stay behind if it did not become the folder.
      clear()
    }
  })
}

export function replaceServer(folder: string, before: Certified, { certificate, key }: Certified): void {
  withCleanFolder(folder, () => {
    // Both keys, until the certificate determines which one is used.
    write(folder, 'server.key', keyPem(key) + keyPem(before.key))
    write(folder, 'server.pem', pem(certificate))
    write(folder, 'server.key', keyPem(key))
  })
}

/** The old authority stays accepted, and the bridge certificate links it to the new one. */
export function addAuthority(
  folder: string,
  before: X509Certificate,
  next: Certified,
  bridge: X509Certificate,
): void {
  withCleanFolder(folder, () => {
    // Until the key is replaced, the old authority still issues.
    write(folder, 'ca.pem', [next.certificate, bridge, before].map(pem).join(''))
    write(folder, 'ca.key', keyPem(next.key))
  })
}

export function keepOnlyAuthority(folder: string, authority: X509Certificate): void {
  withCleanFolder(folder, () => write(folder, 'ca.pem', pem(authority)))
}

export const pem = (certificate: X509Certificate): string => certificate.toString()

export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function hasContent(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isDirectory()) throw damaged(folder, 'is not a folder')
  refuseShared(folder, found)
  return readdirSync(folder).length > 0
}

function readPart(folder: string, name: FileName): string {
  const path = join(folder, name)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw damaged(path, 'is missing')
  if (!found.isFile()) throw damaged(path, 'is not a regular file')
  if (name.endsWith('.key')) refuseShared(path, found)
  const read = readSmallFile(path)
  if (read.kind !== 'bytes') throw damaged(path, read.kind === 'missing' ? 'is missing' : read.why)
  if (read.bytes.length === 0) throw damaged(path, 'is empty')
  return read.bytes.toString()
}

function refuseShared(path: string, { uid, mode }: { uid: number; mode: number }): void {
  if (uid !== process.getuid?.()) throw damaged(path, `belongs to another user (uid ${uid})`)
  if ((mode & 0o077) === 0) return
  const hint = `Close it with \`chmod go= ${path}\`. Where others may have read a key, run \`ctxd tls rotate\` afterwards.`
  throw damaged(path, `is open to other users (mode ${(mode & 0o777).toString(8)})`, hint)
}

function readCertificates(folder: string, name: FileName, content: string): X509Certificate[] {
  return readBlocks(folder, name, content, 'CERTIFICATE', (block) => new X509Certificate(block))
}

function readKeys(folder: string, name: FileName, content: string): KeyObject[] {
  return readBlocks(folder, name, content, 'PRIVATE KEY', (block) => createPrivateKey(block))
}

function readBlocks<T>(
  folder: string,
  name: FileName,
  content: string,
  label: string,
  read: (block: string) => T,
): T[] {
  const blocks = content.match(new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`, 'g')) ?? []
  try {
    const parts = blocks.map(read)
    if (parts.length > 0) return parts
  } catch {
    // Reported below; the parser's message may quote the content.
  }
  throw damaged(join(folder, name), `contains no readable ${label.toLowerCase()}`)
}

function pairOf(certificates: readonly X509Certificate[], keys: readonly KeyObject[]): Certified | undefined {
  for (const certificate of certificates) {
    const key = keys.find((one) => certificate.checkPrivateKey(one))
    if (key !== undefined) return { certificate, key }
  }
  return undefined
}

function write(folder: string, name: FileName, content: string): void {
  replaceFile(join(folder, name), content, 'replaced')
  flushFolder(folder)
}

/** So that a power cut can neither undo nor reorder renames. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function withCleanFolder(folder: string, work: () => void): void {
  withStoreErrors(folder, () => {
    // Left over from an interrupted change; some contain keys.
    for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name))
    work()
  })
}

/** Converts errors such as a full disk. */
function withStoreErrors(folder: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw storeError(error, folder)
  }
}

function damaged(path: string, problem: string, hint?: string): ContextdError {
  return new ContextdError('TLS_FOLDER_DAMAGED', { problem: `${path} ${problem}`, path, hint })
}
