/** Reads the JSON object piped to stdin. */

import { isUtf8 } from 'node:buffer'
import { fstatSync, readSync } from 'node:fs'
import { isatty } from 'node:tty'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { readStdin } from '../support/read-input.ts'

/** Empty if stdin is a terminal. */
export async function readArguments(maxBytes: number): Promise<JsonObject> {
  if (isatty(0)) return {}
  const bytes = await readAll(maxBytes)
  if (!isUtf8(bytes)) throw notArguments()
  const text = bytes.toString()
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // Reported below, without repeating the input.
  }
  throw notArguments()
}

function notArguments(): ContextdError {
  return new ContextdError('USAGE', { problem: 'stdin must contain one JSON object with the arguments' })
}

async function readAll(maxBytes: number): Promise<Buffer> {
  try {
    return await readStdin(maxBytes)
  } catch (error) {
    if (error instanceof CodedError) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ContextdError('USAGE', { problem: `stdin cannot be read (${code})` })
  }
}

/**
 * Whether stdin is a JSON file, which flags must not be combined with. Reads it without moving the file position,
 * and never reads a pipe: in a shell loop, stdin belongs to the loop.
 */
export function isJsonFileGiven(): boolean {
  try {
    if (!fstatSync(0).isFile()) return false
    const start = Buffer.alloc(64)
    return /^\s*\{/.test(start.toString('utf8', 0, readSync(0, start, 0, start.length, 0)))
  } catch {
    return false
  }
}
