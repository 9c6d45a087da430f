/** Gemini accepts every name in camelCase and in snake_case. */

import { memberOf, stringAt, type JsonNode } from '../json-spans.ts'

/** `name` in camelCase. */
export function fieldOf(text: string, node: JsonNode | undefined, name: string): JsonNode | undefined {
  return memberOf(text, node, name) ?? memberOf(text, node, snakeCase(name))
}

/** The text of a string field; undefined for anything else. */
export function fieldTextOf(text: string, node: JsonNode | undefined, name: string): string | undefined {
  const field = fieldOf(text, node, name)
  return field?.kind === 'string' ? stringAt(text, field) : undefined
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
