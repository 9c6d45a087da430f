/** Whether the requests of a conversation begin with the same bytes: a provider's prompt cache knows nothing else. */

import { itemsOf, memberOf, parseJsonSpans, type JsonNode } from '../../../src/model/wire/json-spans.ts'

/** The parts that a provider caches, in its order, as they were sent. */
interface Cached {
  readonly tools: string
  readonly system: string
  readonly messages: readonly string[]
}

/** The client moves its marks of what to cache from message to message; they are no part of what is cached. */
const cacheMark = /,"cache_control":\{[^{}]*\}/g

function cachedPart(body: string): Cached {
  const text = body.replace(cacheMark, '')
  const root = parseJsonSpans(text)
  const partOf = (node: JsonNode | undefined): string =>
    node === undefined ? '' : text.slice(node.start, node.end)
  return {
    tools: partOf(memberOf(text, root, 'tools')),
    system: partOf(memberOf(text, root, 'system')),
    messages: itemsOf(memberOf(text, root, 'messages')).map((message) => {
      const content = memberOf(text, message, 'content')
      const role = partOf(memberOf(text, message, 'role'))
      // A text alone becomes a block when it gets a mark, and means the same.
      const blocks =
        content?.kind === 'string' ? `[{"type":"text","text":${partOf(content)}}]` : partOf(content)
      return `${role}:${blocks}`
    }),
  }
}

/** What the next request of a conversation does not begin with although the one before sent it; empty where all is stable. */
export function prefixBreaks(bodies: readonly string[]): string[] {
  const parts = bodies.map(cachedPart)
  return parts.slice(1).flatMap((next, index) => {
    const where = `request ${index + 2} of ${bodies.length}`
    return breaksBetween(parts[index]!, next).map((what) => `${where}: ${what}`)
  })
}

function breaksBetween(before: Cached, next: Cached): string[] {
  const breaks: string[] = []
  if (before.tools !== next.tools) breaks.push('tools')
  if (before.system !== next.system) breaks.push('system')
  const at = before.messages.findIndex((message, place) => next.messages[place] !== message)
  if (at !== -1) breaks.push(`message ${at + 1} was ${before.messages[at]}, is ${next.messages[at]}`)
  return breaks
}
