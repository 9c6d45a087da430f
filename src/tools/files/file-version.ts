/** Which version of a file somebody has seen, so that nobody overwrites what they have not. */

import { createHash, createHmac } from 'node:crypto'
import { fstatSync } from 'node:fs'

import type { ReadableFile } from './confined-file.ts'

/** Up to here a file is read as a whole; beyond, in parts. */
export const wholeBytes = 1_048_576

/** Told apart by so many hexadecimal digits. */
const hashLength = 24

export interface Version {
  /** Keyed: whoever knows it cannot try out what a short secret in the file may be. */
  readonly hash: string
  /** All of the file, where it is small enough to be read as a whole. */
  readonly bytes?: Buffer
}

/** A large file counts as another when it was written to, whatever was written. */
export async function readFileVersion(file: ReadableFile, key: Uint8Array): Promise<Version> {
  if (file.stat.size <= wholeBytes) {
    const bytes = await file.read(0, file.stat.size)
    return { hash: hashOfBytes(bytes, key), bytes }
  }
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(file.descriptor, { bigint: true })
  return { hash: keyed(key, 'place', [dev, ino, size, mtimeNs, ctimeNs].join(' ')) }
}

export function hashOfBytes(bytes: Uint8Array, key: Uint8Array): string {
  return keyed(key, 'bytes', bytes)
}

function keyed(key: Uint8Array, what: string, data: string | Uint8Array): string {
  return createHmac('sha256', key).update(`${what}\0`).update(data).digest('hex').slice(0, hashLength)
}

const chunkBytes = 1_048_576

/** The plain SHA-256, as everybody can reckon it. */
export async function sha256Of(file: ReadableFile): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0, chunk; (chunk = await file.read(at, chunkBytes)).length > 0; at += chunk.length) {
    hash.update(chunk)
  }
  return hash.digest('hex')
}

/** Who has seen which version of what. */
export interface SeenFiles {
  note(reader: VersionReader, path: string, hash: string): void
  /** Undefined where the reader has not seen the file, or too long ago. */
  seen(reader: VersionReader, path: string): string | undefined
}

export interface VersionReader {
  readonly session: string
  readonly agent: string
}

/** Forgets what was not used for longest. */
export function createSeenFiles(most = 10_000): SeenFiles {
  const hashes = new Map<string, string>()
  const keyOf = ({ session, agent }: VersionReader, path: string): string =>
    JSON.stringify([session, agent, path])
  const note = (key: string, hash: string): void => {
    hashes.delete(key)
    hashes.set(key, hash)
    if (hashes.size > most) hashes.delete(hashes.keys().next().value!)
  }
  return {
    note: (reader, path, hash) => note(keyOf(reader, path), hash),
    seen(reader, path) {
      const key = keyOf(reader, path)
      const hash = hashes.get(key)
      if (hash !== undefined) note(key, hash)
      return hash
    },
  }
}
