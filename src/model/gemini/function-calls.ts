/** Gemini's function calls, which have the same form in requests and responses. */

import { derivedId } from '../wire/derived-ids.ts'
import { memberOf, sourceAt, memberText, type JsonNode } from '../wire/json-spans.ts'
import { fieldOf } from './members.ts'

export interface FunctionCall {
  /** The provider's own id if it sent one. */
  readonly id: string
  readonly hasOwnId: boolean
  readonly tool: string
  readonly input: JsonNode
}

/** Undefined for other parts, and for calls without arguments. */
export function functionCallOf(text: string, part: JsonNode): FunctionCall | undefined {
  const call = fieldOf(text, part, 'functionCall')
  const tool = memberText(text, call, 'name')
  const input = memberOf(text, call, 'args')
  if (tool === undefined || input === undefined) return undefined
  const id = memberText(text, call, 'id')
  // The API omits ids unless several calls run in parallel, and older models never send one.
  const derived = (): string => derivedId(tool, sourceAt(text, input))
  return { id: id ?? derived(), hasOwnId: id !== undefined, tool, input }
}
