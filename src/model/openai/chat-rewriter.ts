/**
 * Rewrites responses of Chat Completions. A chunk can contain text and parts of several tool calls, so complete
 * chunks are held in order, from the first that may contain a token until the choice is finished; if nothing is
 * restored, they then pass unchanged.
 */

import type { CreateRewriter } from '../../core/model.ts'
import type { RestoreInput } from '../wire/dialect.ts'
import { createEventQueue } from '../wire/event-queue.ts'
import { createHeldInput, mayContainToken, type HeldInput } from '../wire/held-input.ts'
import {
  itemsOf,
  memberOf,
  stringAt,
  memberText,
  type JsonNode,
  type StringNode,
} from '../wire/json-spans.ts'
import { replaceSpans, type SpanChange } from '../wire/replace-spans.ts'
import { nodeOf, objectOf } from '../wire/response-json.ts'
import { createResponseRewriter, type ResponseFormat } from '../wire/response-rewriter.ts'
import { withData, type SseEvent } from '../wire/sse.ts'
import { createUsageReader } from '../wire/usage-reader.ts'
import { callPartsOf, toolInputOf, type CallPart } from './chat-calls.ts'
import { openaiUsage } from './usage.ts'

export function chatRewriter(restore: RestoreInput): CreateRewriter {
  return (head) => createResponseRewriter(head, createFormat(restore))
}

interface Fragment {
  readonly event: SseEvent
  readonly place: StringNode
}

interface OpenCall {
  readonly choice: string
  named: Omit<CallPart, 'input'>
  readonly input: HeldInput<Fragment>
}

/** The arguments are incomplete, so the client does not run the call. */
const incompleteReasons = new Set(['length', 'content_filter'])

function createFormat(restore: RestoreInput): ResponseFormat {
  const usage = createUsageReader(openaiUsage)
  let calls: OpenCall[] = []
  const queue = createEventQueue()
  /** Changes in the data of each event: a chunk may have parts of several calls. */
  const changes = new WeakMap<SseEvent, readonly SpanChange[]>()

  const callFor = (choice: string, part: CallPart): OpenCall => {
    const { input: _, ...named } = part
    const open = calls.findLast((call) => call.choice === choice && call.named.index === part.index)
    // Some servers give every call the index 0; a different id then means a different call.
    const isSame = part.id === undefined || open?.named.id === undefined || part.id === open.named.id
    if (open !== undefined && isSame) {
      open.named = { ...named, ...open.named }
      return open
    }
    const call = { choice, named, input: createHeldInput<Fragment>() }
    calls.push(call)
    return call
  }

  const readChoice = (event: SseEvent, data: string, choice: JsonNode): void => {
    for (const part of callPartsOf(data, memberOf(data, choice, 'delta'))) {
      const call = callFor(choiceOf(data, choice), part)
      const place = part.input
      if (place !== undefined) call.input.add(stringAt(data, place), { event, place })
    }
  }

  const finish = async (choice: string | undefined, isIncomplete: boolean): Promise<void> => {
    const finished = calls.filter((call) => choice === undefined || call.choice === choice)
    calls = calls.filter((call) => !finished.includes(call))
    for (const { named, input } of finished) {
      const toolInput = input.isHolding() && !isIncomplete ? toolInputOf(named, input.text()) : undefined
      const rest = input.finish(toolInput && (await restore(toolInput)))
      if (rest.kind === 'same') continue
      for (const [index, { event, place }] of rest.pieces.entries()) {
        const text = JSON.stringify(index === 0 ? rest.text : '')
        const all = [...(changes.get(event) ?? []), { ...place, text }].sort(
          (one, other) => one.start - other.start,
        )
        changes.set(event, all)
        queue.replace(event, [withData(event, replaceSpans(event.data ?? '', all))])
      }
    }
  }

  const releaseEvents = (): Buffer[] => (calls.some(({ input }) => input.isHolding()) ? [] : queue.take())

  return {
    async event(event) {
      const { data = '' } = event
      queue.add(event)
      if (data.trim() === '[DONE]') {
        await finish(undefined, false)
        return releaseEvents()
      }
      const parsed = objectOf(data)
      usage.read(parsed)
      if (parsed.error !== undefined && parsed.error !== null) await finish(undefined, true)
      if (!Array.isArray(parsed.choices)) return releaseEvents()
      for (const choice of itemsOf(memberOf(data, nodeOf(data), 'choices'))) {
        readChoice(event, data, choice)
        const reason = memberText(data, choice, 'finish_reason')
        if (reason !== undefined) await finish(choiceOf(data, choice), incompleteReasons.has(reason))
      }
      return releaseEvents()
    },
    endOfEvents: queue.take,
    async whole(text) {
      usage.read(objectOf(text))
      return mayContainToken(text) ? restoreWhole(text, restore) : text
    },
    report: () => usage.report(),
  }
}

/** The index of a choice, as its source text. */
function choiceOf(data: string, choice: JsonNode): string {
  const index = memberOf(data, choice, 'index')
  return index === undefined ? '0' : data.slice(index.start, index.end)
}

async function restoreWhole(text: string, restore: RestoreInput): Promise<string> {
  const changes: SpanChange[] = []
  for (const choice of itemsOf(memberOf(text, nodeOf(text), 'choices'))) {
    if (incompleteReasons.has(memberText(text, choice, 'finish_reason') ?? '')) continue
    for (const { input, ...call } of callPartsOf(text, memberOf(text, choice, 'message'))) {
      const original = input && stringAt(text, input)
      const toolInput = original !== undefined && mayContainToken(original) && toolInputOf(call, original)
      if (input === undefined || !toolInput) continue
      const restored = await restore(toolInput)
      if (restored !== original) changes.push({ ...input, text: JSON.stringify(restored) })
    }
  }
  return replaceSpans(text, changes)
}
