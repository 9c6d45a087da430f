/** The texts to check in one string of a request, and the string that replaces it. Pure. */

import type { ChangedText, KeyedText } from '../core/checks.ts'
import { losslessBytes, createTextReader } from '@contextd/shared/text/lossless-text'
import { InvalidJson, parseJsonSpans, stringAt, type JsonNode, type StringNode } from './wire/json-spans.ts'
import { replaceSpans } from './wire/replace-spans.ts'
import { restoredRule, withTokens, type RestoredValue } from './restored-values.ts'
import type { MaskedString } from './text-cache.ts'

export type ContentForm = 'text' | 'base64' | 'json'

export interface StringContent {
  readonly texts: readonly KeyedText[]
  /** Receives the masked texts in order. Returns null if the string stays the same. */
  write(changed: readonly (ChangedText | undefined)[]): MaskedString | null
}

export interface ContentOptions {
  readonly form: ContentForm
  /** The field name of the string. */
  readonly key: string | undefined
  /** Sorted by `longestFirst`. */
  readonly restored: readonly RestoredValue[]
}

/** Throws InvalidJson. A string that does not match its form is checked as plain text. */
export function readContent(literal: string, options: ContentOptions): StringContent {
  const text = stringAt(literal, { kind: 'string', start: 0, end: literal.length })
  const { form } = options
  const content =
    (form === 'base64' && readBase64(text, options)) ||
    (form === 'json' && readInnerJson(text, options)) ||
    readText(text, options)
  return {
    texts: content.texts,
    write(changed) {
      const written = content.write(changed)
      return written === undefined ? null : { literal: JSON.stringify(written.text), rules: written.rules }
    },
  }
}

interface Content {
  readonly texts: readonly KeyedText[]
  write(changed: readonly (ChangedText | undefined)[]): ChangedText | undefined
}

function readText(text: string, { key, restored }: ContentOptions): Content {
  const { text: masked, count } = restored.length === 0 ? { text, count: 0 } : withTokens(text, restored)
  return {
    texts: [{ text: masked, key }],
    write([changed]) {
      if (changed === undefined && count === 0) return undefined
      const rules = [...Array<string>(count).fill(restoredRule), ...(changed?.rules ?? [])]
      return { text: changed?.text ?? masked, rules }
    },
  }
}

/** Bytes in any encoding are decoded, so that no document passes unchecked. */
function readBase64(text: string, { restored }: ContentOptions): Content | undefined {
  const comma = text.startsWith('data:') ? text.indexOf(',') + 1 : 0
  const encoded = text.slice(comma)
  const bytes = Buffer.from(encoded, 'base64')
  if (withoutPadding(bytes.toString('base64')) !== withoutPadding(encoded.replace(/\s/g, '')))
    return undefined
  const reader = createTextReader()
  const inner = readText(reader.read(bytes) + reader.end(), { form: 'text', key: undefined, restored })
  return {
    texts: inner.texts,
    write(changed) {
      const written = inner.write(changed)
      if (written === undefined) return undefined
      return {
        text: text.slice(0, comma) + losslessBytes(written.text).toString('base64'),
        rules: written.rules,
      }
    },
  }
}

function withoutPadding(base64: string): string {
  return base64.replace(/={1,2}$/, '')
}

function readInnerJson(text: string, { key, restored }: ContentOptions): Content | undefined {
  const strings: { readonly node: StringNode; readonly content: Content }[] = []
  const add = (node: StringNode, options: Omit<ContentOptions, 'form'>): void => {
    strings.push({ node, content: readText(stringAt(text, node), { form: 'text', ...options }) })
  }
  const walk = (node: JsonNode, fieldName: string | undefined): void => {
    if (node.kind === 'string') add(node, { key: fieldName, restored })
    if (node.kind === 'array') for (const item of node.items) walk(item, fieldName)
    if (node.kind !== 'object') return
    for (const entry of node.entries) {
      // Values are never restored in field names.
      add(entry.key, { key: undefined, restored: [] })
      walk(entry.value, stringAt(text, entry.key))
    }
  }
  try {
    walk(parseJsonSpans(text), key)
  } catch (error) {
    if (error instanceof InvalidJson) return undefined
    throw error
  }
  return {
    texts: strings.flatMap(({ content }) => content.texts),
    write(changed) {
      const rules: string[] = []
      const spans = strings.flatMap(({ node: { start, end }, content }, index) => {
        const written = content.write([changed[index]])
        if (written === undefined) return []
        rules.push(...written.rules)
        return [{ start, end, text: JSON.stringify(written.text) }]
      })
      return spans.length === 0 ? undefined : { text: replaceSpans(text, spans), rules }
    },
  }
}
