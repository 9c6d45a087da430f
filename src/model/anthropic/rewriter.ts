/**
 * Rewrites responses of Anthropic's Messages API. Only the inputs of tools that the client runs are changed;
 * everything else passes unchanged.
 */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { CreateRewriter } from '../../core/model.ts'
import type { RestoreInput } from '../wire/dialect.ts'
import { createEventQueue } from '../wire/event-queue.ts'
import { createHeldInput, mayContainToken, type HeldInput } from '../wire/held-input.ts'
import { itemsOf, memberOf, memberText, type JsonNode } from '../wire/json-spans.ts'
import { replaceSpans, type SpanChange } from '../wire/replace-spans.ts'
import { nodeOf, objectOf, withText } from '../wire/response-json.ts'
import { createResponseRewriter, type ResponseFormat } from '../wire/response-rewriter.ts'
import { withData, type SseEvent } from '../wire/sse.ts'
import { createUsageReader } from '../wire/usage-reader.ts'
import { anthropicUsage } from './usage.ts'

/** A tool call whose input is still arriving. */
interface OpenBlock {
  readonly id: string
  readonly tool: string
  readonly input: HeldInput<SseEvent>
}

export function anthropicRewriter(restore: RestoreInput): CreateRewriter {
  return (head) => createResponseRewriter(head, createFormat(restore))
}

function createFormat(restore: RestoreInput): ResponseFormat {
  const usage = createUsageReader(anthropicUsage)
  const queue = createEventQueue()
  /** Blocks that end without a stop event are incomplete, and are not restored. */
  const blocks = new Map<unknown, OpenBlock>()

  const start = async (event: SseEvent, { index, content_block: block }: JsonObject): Promise<void> => {
    blocks.delete(index)
    // Server tools and MCP connector tools run at the provider, which must not receive real values.
    if (!isJsonObject(block) || block.type !== 'tool_use') return
    const { id, name } = block
    if (typeof id !== 'string' || typeof name !== 'string') return
    blocks.set(index, { id, tool: name, input: createHeldInput() })
    // Usually empty, but some gateways send the complete input with the start event.
    const data = event.data!
    const changed = await restoreInputs(data, [memberOf(data, nodeOf(data), 'content_block')], restore)
    if (changed !== data) queue.replace(event, [withData(event, changed)])
  }

  const add = (event: SseEvent, { index, delta }: JsonObject): void => {
    const more = partialJson(delta)
    if (more !== undefined) blocks.get(index)?.input.add(more, event)
  }

  const stop = async ({ index }: JsonObject): Promise<void> => {
    const block = blocks.get(index)
    blocks.delete(index)
    if (block === undefined || !block.input.isHolding()) return
    const { id, tool, input } = block
    const rest = input.finish(await restore({ id, tool, text: input.text(), form: 'json' }))
    if (rest.kind === 'same') return
    const [first, ...others] = rest.pieces
    queue.replace(first!, [withText(first!, ['delta', 'partial_json'], rest.text)])
    for (const event of others) queue.replace(event, [])
  }

  const read = async (event: SseEvent): Promise<void> => {
    const data = objectOf(event.data)
    switch (typeof data.type === 'string' ? data.type : '') {
      case 'content_block_start':
        return start(event, data)
      case 'content_block_delta':
        return add(event, data)
      case 'content_block_stop':
        return stop(data)
      case 'message_start':
        return usage.read(data.message)
      case 'message_delta':
        usage.read(data)
        return blocks.clear()
      case 'message_stop':
      case 'error':
        return blocks.clear()
      default:
    }
  }

  return {
    async event(event) {
      queue.add(event)
      await read(event)
      return [...blocks.values()].some(({ input }) => input.isHolding()) ? [] : queue.take()
    },
    endOfEvents: queue.take,
    async whole(text) {
      usage.read(objectOf(text))
      return restoreInputs(text, itemsOf(memberOf(text, nodeOf(text), 'content')), restore)
    },
    report: () => usage.report(),
  }
}

function partialJson(delta: Json | undefined): string | undefined {
  if (!isJsonObject(delta) || delta.type !== 'input_json_delta') return undefined
  return typeof delta.partial_json === 'string' ? delta.partial_json : undefined
}

/** The JSON text with restored inputs of those blocks that are tool calls of the client. */
async function restoreInputs(
  text: string,
  blocks: readonly (JsonNode | undefined)[],
  restore: RestoreInput,
): Promise<string> {
  const changes: SpanChange[] = []
  for (const block of blocks) {
    const input = memberOf(text, block, 'input')
    const id = memberText(text, block, 'id')
    const tool = memberText(text, block, 'name')
    if (memberText(text, block, 'type') !== 'tool_use' || input === undefined) continue
    if (id === undefined || tool === undefined) continue
    const { start, end } = input
    const written = text.slice(start, end)
    if (!mayContainToken(written)) continue
    changes.push({ start, end, text: await restore({ id, tool, text: written, form: 'json' }) })
  }
  return replaceSpans(text, changes)
}
