/** What is special in a request to Anthropic's Messages API. */

import type { RequestView } from '../dialect.ts'
import type { JsonNode } from '../json-spans.ts'

export function anthropicView(_text: string, _root: JsonNode): RequestView {
  return {
    exempt: new Set(),
    base64: new Set(),
    json: new Set(),
    toolUses: [],
    toolResults: [],
    texts: [],
  }
}
