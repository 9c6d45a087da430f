/** Tracks which version of a file a reader has seen, so that nobody overwrites changes they have not seen. */

import { createHash, createHmac } from 'node:crypto'
import { fstatSync } from 'node:fs'

import type { ReadableFile } from './confined-file.ts'

/** Larger files are read in parts. */
export const wholeBytes = 1_048_576

/** In hexadecimal digits. */
const hashLength = 24

export interface Version {
  /** Keyed, so that it cannot be used to guess a short secret in the file. */
  readonly hash: string
  /** The whole file, if it is small enough to be read at once. */
  readonly bytes?: Buffer
}

/** A large file has a new version after every write, whatever was written. */
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

/** The plain SHA-256, which anyone can compute. */
export async function sha256Of(file: ReadableFile): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0, chunk; (chunk = await file.read(at, chunkBytes)).length > 0; at += chunk.length) {
    hash.update(chunk)
  }
  return hash.digest('hex')
}

/** Which reader has seen which version. */
export interface SeenFiles {
  note(reader: VersionReader, path: string, hash: string): void
  /** Undefined if the reader has not seen the file, or too long ago. */
  seen(reader: VersionReader, path: string): string | undefined
}

export interface VersionReader {
  readonly session: string
  readonly agent: string
  /** Of several running instances of the agent: each has its own context. */
  readonly instance?: string | undefined
}

/** Drops the least recently used entries. */
export function createSeenFiles(maxEntries = 10_000): SeenFiles {
  const hashes = new Map<string, string>()
  const keyOf = ({ session, agent, instance = '' }: VersionReader, path: string): string =>
    JSON.stringify([session, agent, instance, path])
  const note = (key: string, hash: string): void => {
    hashes.delete(key)
    hashes.set(key, hash)
    if (hashes.size > maxEntries) hashes.delete(hashes.keys().next().value!)
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
