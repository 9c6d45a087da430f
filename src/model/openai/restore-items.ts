/** Restores the inputs of tool calls in items of the Responses API. */

import type { RestoreInput } from '../wire/dialect.ts'
import { mayContainToken } from '../wire/held-input.ts'
import { stringAt, memberText, type JsonNode } from '../wire/json-spans.ts'
import { replaceSpans, type SpanChange } from '../wire/replace-spans.ts'
import { callItemOf, type CallItem } from './call-items.ts'

/** The input of a call as the model wrote it, and as the client receives it. */
export interface RestoredCall {
  readonly form: CallItem['form']
  readonly original: string
  readonly restored: string
}

export interface ItemRestorer {
  /** Undefined unless the item is a complete tool call of the client. */
  call(text: string, item: JsonNode | undefined): Promise<RestoredCall | undefined>
  /** The JSON text with the inputs of these items restored. Items must be in the order of the text. */
  items(text: string, items: readonly (JsonNode | undefined)[]): Promise<string>
}

/** A stream repeats each item. It is restored once, so that all repetitions are the same. */
export function createItemRestorer(restore: RestoreInput): ItemRestorer {
  const known = new Map<string, Promise<string>>()

  const restoredOf = (call: CallItem, original: string): Promise<string> | string => {
    if (!mayContainToken(original)) return original
    const key = `${call.id}\n${original}`
    const form = call.form === 'text' ? 'text' : 'json'
    const restored = known.get(key) ?? restore({ id: call.id, tool: call.tool, text: original, form })
    known.set(key, restored)
    return restored
  }
  const callOf = async (
    text: string,
    item: JsonNode | undefined,
  ): Promise<(RestoredCall & SpanChange) | undefined> => {
    const call = item === undefined ? undefined : callItemOf(text, item)
    if (call === undefined || memberText(text, item, 'status') === 'incomplete') return undefined
    const { form, input } = call
    const original = input.kind === 'string' ? stringAt(text, input) : text.slice(input.start, input.end)
    const restored = await restoredOf(call, original)
    const written = input.kind === 'string' ? JSON.stringify(restored) : restored
    return { form, original, restored, start: input.start, end: input.end, text: written }
  }
  return {
    call: callOf,
    async items(text, items) {
      const changes: SpanChange[] = []
      for (const item of items) {
        const call = await callOf(text, item)
        if (call !== undefined && call.restored !== call.original) changes.push(call)
      }
      return replaceSpans(text, changes)
    },
  }
}
