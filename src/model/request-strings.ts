/** Finds every string of a request that is checked, names included, and says how. Pure. */

import type { RequestView } from './wire/dialect.ts'
import type { JsonNode, StringNode } from './wire/json-spans.ts'
import { maxFirstLength, type RestoredValue } from './restored-values.ts'
import type { ContentForm } from './string-content.ts'

/** How strings are checked. The same for many of them. */
export interface StringPlace {
  /** Strings with the same text and the same name of their place are masked alike. */
  readonly name: string
  readonly form: ContentForm
  /** The name of the member as it is written in the request, with its quotes; empty where there is none. */
  readonly member: string
  readonly restored: readonly RestoredValue[]
}

export interface RequestString {
  readonly node: StringNode
  readonly place: StringPlace
}

/** In the order of the text. `restored` says what was put back in a tool call. */
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
      const values = maxFirstLength(restored(id))
      byCall.set(id, values.length === 0 ? undefined : createPlaces(values))
    }
    return byCall.get(id)
  }
  const addRegion = (id: string, node: JsonNode): void => {
    const places = placesOf(id)
    if (places !== undefined) regions.set(node, places)
  }
  for (const { id, input } of toolUses) addRegion(id, input)
  // Also of calls that are not in the request because the provider has them (`previous_response_id`).
  for (const { id, content } of toolResults) addRegion(id, content)
  const formOf = (node: StringNode): ContentForm =>
    base64.has(node) ? 'base64' : json.has(node) ? 'json' : 'text'

  const plain = createPlaces([])
  const walk = (node: JsonNode, member: string, around: Places): void => {
    if (node.kind === 'scalar' || exempt.has(node)) return
    const places = regions.size === 0 ? around : (regions.get(node) ?? around)
    if (node.kind === 'string') strings.push({ node, place: places(formOf(node), member) })
    else if (node.kind === 'array') for (const item of node.items) walk(item, member, places)
    else {
      for (const { key, value } of node.entries) {
        // No value is put back in a name, and the provider has to know its own.
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
