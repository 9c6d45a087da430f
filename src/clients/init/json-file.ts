/**
 * Edits JSON files of clients: adds and removes our entries, and preserves everything else including its formatting.
 */

import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { parseJson } from '@contextd/shared/json/json-source'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import { reviseJson } from '@contextd/shared/json/revise-json'
import type { Position } from '@contextd/shared/json/text-position'
import type { ClientFile } from './client-file.ts'
import { clearEdits, putEdits, WrongShape, type JsonEdit } from '@contextd/shared/json/json-edits'
import { revertJson } from './revert-json.ts'

type JsonKind = 'json' | 'jsonc'

/** `fresh`: the initial contents of a new file. */
export function jsonFile(
  path: string,
  kind: JsonKind,
  edits: readonly JsonEdit[],
  fresh: JsonObject = {},
): ClientFile {
  return {
    path,
    kind,
    extend(text) {
      // Clients treat an empty file like a missing one.
      const isNew = text === undefined || text.trim() === ''
      const source = isNew ? `${JSON.stringify(fresh)}\n` : text
      const document = readDocument(path, kind, source)
      return reviseJson(
        source,
        inShape(path, source, () => putEdits(document, edits)),
      )
    },
    clear(text) {
      if (text.trim() === '') return text
      const document = readDocument(path, kind, text)
      const cleared = inShape(path, text, () => clearEdits(document, edits))
      const isNothing = Object.keys(cleared).length === 0 && Object.keys(document).length > 0
      return isNothing ? undefined : reviseJson(text, cleared)
    },
  }
}

export function revertJsonFile(
  path: string,
  kind: JsonKind,
  now: string,
  before: string | null,
  after: string,
): string | undefined {
  const read = (text: string): JsonObject => (text.trim() === '' ? {} : readDocument(path, kind, text))
  const reverted = revertJson(read(now), before === null ? {} : read(before), read(after))
  const isNothing = before === null && isJsonObject(reverted) && Object.keys(reverted).length === 0
  return isNothing ? undefined : now.trim() === '' ? now : reviseJson(now, reverted)
}

function readDocument(path: string, kind: JsonKind, text: string): JsonObject {
  const parsed = parseJson(text, { comments: kind === 'jsonc' })
  if (parsed.ok) {
    if (isJsonObject(parsed.value)) return parsed.value
    throw unusable(path, { line: 1, column: 1 }, 'must be an object')
  }
  const hasComments = kind === 'json' && parseJson(text, { comments: true }).ok
  const why = hasComments
    ? `${parsed.message}. The client requires plain JSON here and ignores the whole file`
    : parsed.message
  throw unusable(path, parsed, why)
}

function inShape<T>(path: string, text: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof WrongShape)) throw error
    const parsed = parseJson(text, { comments: true })
    const place = (parsed.ok && parsed.locate(error.path)) || { line: 1, column: 1 }
    throw unusable(path, place, `${formatJsonPath(error.path)} must be ${error.expected}`)
  }
}

function unusable(path: string, { line, column }: Position, why: string): ContextdError {
  return new ContextdError('CONFIG_INVALID', {
    problem: `${path}:${line}:${column}: ${why}`,
    file: path,
    line,
    column,
    hint: 'Nothing was written. Correct the file there, then run the command again.',
  })
}
