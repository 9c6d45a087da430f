/** What is piped in, as one JSON object. */

import { isUtf8 } from 'node:buffer'
import { fstatSync, readSync } from 'node:fs'
import { isatty } from 'node:tty'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { readStdin } from '../support/read-input.ts'

/** Nothing where nobody pipes anything in. */
export async function readArguments(most: number): Promise<JsonObject> {
  if (isatty(0)) return {}
  const bytes = await readAll(most)
  if (!isUtf8(bytes)) throw notArguments()
  const text = bytes.toString()
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // Said below, without a word of what was there.
  }
  throw notArguments()
}

function notArguments(): ContextdError {
  return new ContextdError('USAGE', { problem: 'what is on stdin is not one JSON object with the arguments' })
}

async function readAll(most: number): Promise<Buffer> {
  try {
    return await readStdin(most)
  } catch (error) {
    if (error instanceof CodedError) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ContextdError('USAGE', { problem: `stdin cannot be read (${code})` })
  }
}

/**
 * Whether a file with JSON is given as input beside flags. Looked at without moving on in it: in a loop it belongs to the
 * loop. What comes through a pipe is not looked at for the same reason.
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
