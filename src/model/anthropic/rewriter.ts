/** Responses of Anthropic's Messages API. Only inputs of tools that the client runs are looked at; all else passes at once. */

import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { CreateRewriter } from '../../core/model.ts'
import type { RestoreInput } from '../dialect.ts'
import { createHeldInput, mayContainToken, type HeldInput } from '../held-input.ts'
import { itemsOf, memberOf, readJson, textOf, type JsonNode } from '../json-spans.ts'
import { replaceSpans, type SpanChange } from '../replace-spans.ts'
import { nodeOf, objectOf, rawOf } from '../response-json.ts'
import { createResponseRewriter, type ResponseFormat } from '../response-rewriter.ts'
import { withData, type SseEvent } from '../sse.ts'
import { createUsageReader } from '../usage-reader.ts'
import { anthropicUsage } from './usage.ts'

/** A tool call whose input is arriving. */
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
  const blocks = new Map<unknown, OpenBlock>()

  /** The input will not be complete: nothing of it is restored. */
  const abandon = (index: unknown): Buffer[] => {
    const block = blocks.get(index)
    blocks.delete(index)
    return block === undefined ? [] : rawOf(block.input.finish().pieces)
  }
  const abandonAll = (): Buffer[] => [...blocks.keys()].flatMap(abandon)

  const start = async (event: SseEvent, { index, content_block: block }: JsonObject): Promise<Buffer[]> => {
    const before = abandon(index)
    // Server tools and those of the MCP connector run at the provider, which has no use for a value.
    if (!isJsonObject(block) || block.type !== 'tool_use') return [...before, event.raw]
    const { id, name } = block
    if (typeof id !== 'string' || typeof name !== 'string') return [...before, event.raw]
    blocks.set(index, { id, tool: name, input: createHeldInput() })
    // Usually empty, but some gateways send the whole input with the start.
    const data = event.data!
    const changed = await restoreInputs(data, [memberOf(data, nodeOf(data), 'content_block')], restore)
    return [...before, changed === data ? event.raw : withData(event, changed)]
  }

  const add = (event: SseEvent, { index, delta }: JsonObject): Buffer[] => {
    const input = blocks.get(index)?.input
    const more = partialJson(delta)
    // Other deltas of the block, should there ever be any, wait with those that are held.
    return input !== undefined && (more !== undefined || input.isHolding())
      ? rawOf(input.add(more ?? '', event))
      : [event.raw]
  }

  const stop = async (event: SseEvent, { index }: JsonObject): Promise<Buffer[]> => {
    const block = blocks.get(index)
    if (block === undefined || !block.input.isHolding()) {
      blocks.delete(index)
      return [event.raw]
    }
    const { id, tool, input } = block
    const restored = await restore({ id, tool, text: input.text(), form: 'json' })
    blocks.delete(index)
    const rest = input.finish(restored)
    if (rest.kind === 'same') return [...rawOf(rest.pieces), event.raw]
    const [first, ...others] = rest.pieces
    const unknown = others.filter(({ data }) => partialJson(objectOf(data).delta) === undefined)
    return [withPartialJson(first!, rest.text), ...rawOf(unknown), event.raw]
  }

  return {
    async event(event) {
      const data = objectOf(event.data)
      switch (typeof data.type === 'string' ? data.type : '') {
        case 'content_block_start':
          return start(event, data)
        case 'content_block_delta':
          return add(event, data)
        case 'content_block_stop':
          return stop(event, data)
        case 'message_start':
          usage.read(data.message)
          return [event.raw]
        case 'message_delta':
          usage.read(data)
          return [...abandonAll(), event.raw]
        case 'message_stop':
        case 'error':
          return [...abandonAll(), event.raw]
        default:
          return [event.raw]
      }
    },
    endOfEvents: abandonAll,
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

function withPartialJson(event: SseEvent, text: string): Buffer {
  const data = event.data!
  const place = memberOf(data, memberOf(data, readJson(data), 'delta'), 'partial_json')!
  return withData(event, replaceSpans(data, [{ ...place, text: JSON.stringify(text) }]))
}

/** The JSON text with the inputs of these blocks restored, where they are tool calls of the client. */
async function restoreInputs(
  text: string,
  blocks: readonly (JsonNode | undefined)[],
  restore: RestoreInput,
): Promise<string> {
  const changes: SpanChange[] = []
  for (const block of blocks) {
    const input = memberOf(text, block, 'input')
    const id = textOf(text, block, 'id')
    const tool = textOf(text, block, 'name')
    if (textOf(text, block, 'type') !== 'tool_use' || input === undefined) continue
    if (id === undefined || tool === undefined) continue
    const { start, end } = input
    const written = text.slice(start, end)
    if (!mayContainToken(written)) continue
    changes.push({ start, end, text: await restore({ id, tool, text: written, form: 'json' }) })
  }
  return replaceSpans(text, changes)
}
