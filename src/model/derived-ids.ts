/**
 * Ids for tool calls of formats that have none. The client sends a call back as it received it, with the restored values, so
 * the id is derived from the tool's name and the restored input. Position would not do: clients cut and summarise their
 * history. The input is compared as canonical JSON because a client parses it and writes it again. Two equal calls share an
 * id, which is harmless: the same values were restored in both.
 */

import { createHash } from 'node:crypto'

import { canonicalJson, type Json } from '../core/json.ts'
import type { ToolUse } from './dialect.ts'

/** `input` is JSON text; text that is not JSON is used as it is. */
export function derivedId(tool: string, input: string): string {
  return `derived_${createHash('sha256')
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

/** Finds the calls that results without an id belong to: the first one of that name that has no result yet. */
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
      const at = open.findIndex((use) => (id === undefined ? use.tool === tool : use.id === id))
      const [use] = at === -1 ? [] : open.splice(at, 1)
      return id ?? use?.id
    },
  }
}
