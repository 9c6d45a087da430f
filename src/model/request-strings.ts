/** Finds every string of a request that must be checked, including field names, and how to check it. Pure. */

import type { RequestView } from './wire/dialect.ts'
import type { JsonNode, StringNode } from './wire/json-spans.ts'
import { longestFirst, type RestoredValue } from './restored-values.ts'
import type { ContentForm } from './string-content.ts'

/** How strings are checked; shared by many strings. */
export interface StringPlace {
  /** Strings with the same text and the same place name are masked alike. */
  readonly name: string
  readonly form: ContentForm
  /** The field name as written in the request, including quotes; may be empty. */
  readonly member: string
  readonly restored: readonly RestoredValue[]
}

export interface RequestString {
  readonly node: StringNode
  readonly place: StringPlace
}

/** In the order of the text. `restored` returns the values that were restored in a tool call. */
export function stringsOf(
  body: string,
  root: JsonNode,
  { exempt, base64, json, toolUses, toolResults }: RequestView,
  restored: (toolUse: string) => readonly RestoredValue[],
): RequestString[] {
  const strings: RequestString[] = []
  const regions = new Map<JsonNode, Places>()
  const byCall = new Map<string, Places | undefined>()
  const placesOf = (id: string): Places | undefined => {
    if (!byCall.has(id)) {
      const values = longestFirst(restored(id))
      byCall.set(id, values.length === 0 ? undefined : createPlaces(values))
    }
    return byCall.get(id)
  }
  const addRegion = (id: string, node: JsonNode): void => {
    const places = placesOf(id)
    if (places !== undefined) regions.set(node, places)
  }
  for (const { id, input } of toolUses) addRegion(id, input)
  // Includes calls that only the provider has (`previous_response_id`).
  for (const { id, content } of toolResults) addRegion(id, content)
  const formOf = (node: StringNode): ContentForm =>
    base64.has(node) ? 'base64' : json.has(node) ? 'json' : 'text'

  const plain = createPlaces([])
  const walk = (node: JsonNode, member: string, inherited: Places): void => {
    if (node.kind === 'scalar' || exempt.has(node)) return
    const places = regions.size === 0 ? inherited : (regions.get(node) ?? inherited)
    if (node.kind === 'string') strings.push({ node, place: places(formOf(node), member) })
    else if (node.kind === 'array') for (const item of node.items) walk(item, member, places)
    else {
      for (const { key, value } of node.entries) {
        // Values are never restored in field names, and the provider must recognize its own.
        strings.push({ node: key, place: plain('text', '') })
        walk(value, body.slice(key.start, key.end), places)
      }
    }
  }
  walk(root, '', plain)
  return strings
}

type Places = (form: ContentForm, member: string) => StringPlace

function createPlaces(restored: readonly RestoredValue[]): Places {
  const byForm = { text: new Map(), base64: new Map(), json: new Map() } satisfies Record<
    ContentForm,
    Map<string, StringPlace>
  >
  const suffix = restored.length === 0 ? '' : JSON.stringify(restored)
  return (form, member) => {
    const known: Map<string, StringPlace> = byForm[form]
    let place = known.get(member)
    if (place === undefined) {
      place = { name: `${form} ${member}${suffix}`, form, member, restored }
      known.set(member, place)
    }
    return place
  }
}
