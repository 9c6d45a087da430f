/** Gemini accepts every field name in camelCase and in snake_case. */

import { memberOf, stringAt, type JsonNode } from '../wire/json-spans.ts'

const otherNames = {
  functionCall: 'function_call',
  functionResponse: 'function_response',
  generateContentRequest: 'generate_content_request',
  inlineData: 'inline_data',
  mimeType: 'mime_type',
  systemInstruction: 'system_instruction',
  thoughtSignature: 'thought_signature',
} as const

export type FieldName = keyof typeof otherNames

export function fieldOf(text: string, node: JsonNode | undefined, name: FieldName): JsonNode | undefined {
  return memberOf(text, node, name) ?? memberOf(text, node, otherNames[name])
}

/** The text of a string field; undefined for anything else. */
export function fieldTextOf(text: string, node: JsonNode | undefined, name: FieldName): string | undefined {
  const field = fieldOf(text, node, name)
  return field?.kind === 'string' ? stringAt(text, field) : undefined
}
