/** Scrubs every text of a result and says where something was found. */

import type { Json, JsonObject } from '../../core/json.ts'
import { isJsonObject } from '../../core/json.ts'
import type { Block, Result } from '../../core/result.ts'

/** Where a text stands: the last step, and what leads to it. */
interface Step {
  readonly parent?: Step
  readonly name: string | number
}

/** `key` is the name the text stands under; `place` tells where, when asked. */
export type Clean = (text: string, key: string | undefined, place: () => string) => string

/** Keys are scrubbed too, and a place never names more than what is left of them. */
export function cleanJson<T extends Json>(value: T, root: string, clean: Clean): T {
  const walk = (item: Json, key: string | undefined, step: Step): Json => {
    if (typeof item === 'string') return clean(item, key, () => formatPlace(step))
    if (Array.isArray(item)) return item.map((one, index) => walk(one, key, { parent: step, name: index }))
    if (!isJsonObject(item)) return item
    const cleaned: [string, Json][] = []
    for (const [name, one] of Object.entries(item)) {
      const shown = clean(name, undefined, () => `${formatPlace(step)} (a name)`)
      cleaned.push([shown, walk(one, name, { parent: step, name: shown })])
    }
    // fromEntries defines properties, so a key named __proto__ stays data.
    return Object.fromEntries(cleaned)
  }
  return walk(value, undefined, { name: root }) as T
}

export function cleanResult(result: Result, clean: Clean): Result {
  switch (result.kind) {
    case 'answer':
      return {
        ...result,
        content: result.content.map(
          (block, index) => cleanJson(block as JsonObject, `content[${index}]`, clean) as Block,
        ),
        ...(result.structured !== undefined && {
          structured: cleanJson(result.structured, 'structured', clean),
        }),
        ...(result.meta !== undefined && { meta: cleanJson(result.meta, 'meta', clean) }),
      }
    case 'payload':
      return { ...result, value: cleanJson(result.value, 'result', clean) }
    case 'input_required':
      return { ...result, requests: cleanJson(result.requests, 'requests', clean) }
    case 'refusal':
      return {
        ...result,
        error: cleanJson(result.error as JsonObject, 'error', clean) as typeof result.error,
      }
  }
}

/** How much of one name, and how many names, a place has. */
const longestName = 40
const mostNames = 8

/** `structured.data.env[2]` */
function formatPlace(last: Step): string {
  const names: string[] = []
  for (let step: Step | undefined = last; step !== undefined; step = step.parent) {
    if (typeof step.name === 'number') names.unshift(`[${step.name}]`)
    else names.unshift(`${step.parent === undefined ? '' : '.'}${short(step.name)}`)
  }
  if (names.length > mostNames) names.splice(mostNames / 2, names.length - mostNames, '…')
  return names.join('')
}

function short(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`
}
