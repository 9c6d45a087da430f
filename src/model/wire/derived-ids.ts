/**
 * Ids for tool calls in formats without ids. The client sends a call back as it received it, with the restored
 * values, so the id is derived from the tool's name and the restored input. The position is not usable, because
 * clients truncate and summarize their history. The input is compared as canonical JSON, because clients parse it and
 * serialize it again. Equal calls share an id, which is harmless: the same values were restored in both.
 */

import { createHash } from 'node:crypto'

import { canonicalJson, type Json } from '@contextd/shared/json/value'
import type { ToolUse } from './dialect.ts'

const derivedStart = 'derived_'

/** `input` is JSON text; other text is used unchanged. */
export function derivedId(tool: string, input: string): string {
  return `${derivedStart}${createHash('sha256')
    .update(canonicalJson([tool, parsed(input)]))
    .digest('hex')
    .slice(0, 32)}`
}

function parsed(input: string): Json {
  try {
    return JSON.parse(input) as Json
  } catch {
    return input
  }
}

/**
 * Finds the calls that results belong to. Without an id, it is the first call of that name without a result. Gemini
 * CLI generates an id for a call that has none, and only sends it with the result.
 */
export function createCallQueue(): {
  add(use: Pick<ToolUse, 'id' | 'tool'>): void
  answer(tool: string, id: string | undefined): string | undefined
} {
  const open: Pick<ToolUse, 'id' | 'tool'>[] = []
  return {
    add(use) {
      open.push(use)
    },
    answer(tool, id) {
      const byId = id === undefined ? -1 : open.findIndex((use) => use.id === id)
      const at = byId === -1 ? open.findIndex((use) => use.tool === tool && matches(use.id, id)) : byId
      const [use] = at === -1 ? [] : open.splice(at, 1)
      return use?.id ?? id
    },
  }
}

/** A call with its own id only matches that id. */
function matches(own: string, id: string | undefined): boolean {
  return id === undefined || own.startsWith(derivedStart)
}
