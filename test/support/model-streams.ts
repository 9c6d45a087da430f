/**
 * Streams of model providers for tests of the rewriters: fixtures, chunk boundaries, and what a client parses from
 * them.
 */

import { readFileSync } from 'node:fs'

import type { RestoreInput, ToolInput } from '../../src/model/wire/dialect.ts'
import { createSseReader } from '../../src/model/wire/sse.ts'

export function fixture(path: string): string {
  return readFileSync(new URL(`../model/fixtures/${path}`, import.meta.url), 'utf8')
}

export function cutAt(text: string, ...cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text)
  const places = [0, ...cuts, bytes.length]
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place))
}

/** Every byte is a chunk boundary in one of the lists, and each list has a boundary every `step` bytes. */
export function cutsEverywhere(text: string, step = 61): Buffer[][] {
  const length = Buffer.byteLength(text)
  return Array.from({ length: step }, (_, first) => {
    const cuts = Array.from(
      { length: Math.ceil((length - first) / step) },
      (_item, index) => first + index * step,
    )
    return cutAt(text, ...cuts)
  })
}

export const bytesOf = (text: string): Buffer[] =>
  Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))

/** The data of each event that is JSON. */
export function dataOf<Data>(stream: string): Data[] {
  const reader = createSseReader()
  const events = [...reader.read(Buffer.from(stream)), ...reader.end()]
  return events.flatMap(({ data = '' }) => (data.startsWith('{') ? [JSON.parse(data) as Data] : []))
}

export const asIs: RestoreInput = async ({ text }) => text

/** Needs escapes in JSON, and is longer than its token. */
export const secretValue = 'va"lue\\n – 💥 of the first secret\n'

/** Reveals the first secret to every tool, and records the requests. */
export function restoreFirst(asked: ToolInput[] = []): RestoreInput {
  return async (input) => {
    asked.push(input)
    const value = input.form === 'json' ? JSON.stringify(secretValue).slice(1, -1) : secretValue
    return input.text.replaceAll('[SECRET_1]', () => value)
  }
}
