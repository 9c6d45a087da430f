/**
 * Ids for tool calls of formats that have none. The client sends a call back as it received it, with the restored values, so
 * the id is derived from the tool's name and the restored input. Position would not do: clients cut and summarise their
 * history. The input is compared as canonical JSON because a client parses it and writes it again. Two equal calls share an
 * id, which is harmless: the same values were restored in both.
 */

import { createHash } from 'node:crypto'

import { canonicalJson, type Json } from '@contextd/shared/json/value'
import type { ToolUse } from './dialect.ts'

const derivedStart = 'derived_'

/** `input` is JSON text; text that is not JSON is used as it is. */
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
 * Finds the calls that results belong to. Without an id it is the first one of that name that has no result yet. Gemini CLI
 * makes up an id for a call that has none, and sends it with the result alone.
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
      const named = id === undefined ? -1 : open.findIndex((use) => use.id === id)
      const at = named === -1 ? open.findIndex((use) => use.tool === tool && mayBe(use.id, id)) : named
      const [use] = at === -1 ? [] : open.splice(at, 1)
      return use?.id ?? id
    },
  }
}

/** A call that has its own id is meant by that id only. */
function mayBe(own: string, id: string | undefined): boolean {
  return id === undefined || own.startsWith(derivedStart)
}
