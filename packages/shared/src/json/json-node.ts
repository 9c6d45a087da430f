/** JSON as spans of its text. `model/json-spans.ts` reads it. */

interface Span {
  readonly start: number
  /** After its last character. */
  readonly end: number
  /** The text has one character per byte (see byte-text.ts). */
  readonly isBytes?: boolean
}
export interface StringNode extends Span {
  readonly kind: 'string'
}
/** A number, true, false or null. */
export interface ScalarNode extends Span {
  readonly kind: 'scalar'
}
export interface ArrayNode extends Span {
  readonly kind: 'array'
  readonly items: readonly JsonNode[]
}
export interface ObjectNode extends Span {
  readonly kind: 'object'
  readonly entries: readonly { readonly key: StringNode; readonly value: JsonNode }[]
}
export type JsonNode = StringNode | ScalarNode | ArrayNode | ObjectNode
