/** How a dialect parses a request, as texts that a test can compare. */

import type { Dialect, Endpoint, NotePlace } from '../../src/model/wire/dialect.ts'
import { parseJsonSpans, stringAt, type JsonNode, type StringNode } from '../../src/model/wire/json-spans.ts'

export function viewed(dialect: Pick<Dialect, 'view'>, endpoint: Endpoint, body: object) {
  const text = JSON.stringify(body)
  const root = parseJsonSpans(text)
  const view = dialect.view(text, root, endpoint)
  const sourceOf = ({ start, end }: JsonNode): string => text.slice(start, end)
  const textsOf = (nodes: Iterable<StringNode>): string[] => Array.from(nodes, (node) => stringAt(text, node))

  const scrubbed: string[] = []
  const walk = (node: JsonNode): void => {
    if (view.exempt.has(node)) return
    if (node.kind === 'string') scrubbed.push(stringAt(text, node))
    if (node.kind === 'array') node.items.forEach(walk)
    if (node.kind === 'object') for (const { value } of node.entries) walk(value)
  }
  walk(root)

  const withNote = (place: NotePlace): object => {
    const [at, note] = 'string' in place ? [place.string.end - 1, ' NOTE'] : [place.at, place.insert('NOTE')]
    return JSON.parse(text.slice(0, at) + note + text.slice(at)) as object
  }
  return {
    /** Checked values; names are always checked. */
    scrubbed,
    base64: textsOf(view.base64),
    json: textsOf(view.json),
    toolUses: view.toolUses.map(({ id, tool, input }) => ({ id, tool, input: sourceOf(input) })),
    toolResults: view.toolResults.map(({ id, content }) => ({ id, content: sourceOf(content) })),
    /** The request with a note inserted, one for each result. */
    noted: view.toolResults.map(({ notePlace }) => notePlace && withNote(notePlace)),
    texts: view.texts.map(withNote),
  }
}
