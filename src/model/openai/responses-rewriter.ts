/** Responses of the Responses API. Only inputs of tools that the client runs are looked at; all else passes at once. */

import type { JsonObject } from '../../core/json.ts'
import type { CreateRewriter } from '../../core/model.ts'
import type { RestoreInput } from '../dialect.ts'
import { createHeldInput, type HeldInput } from '../held-input.ts'
import { itemsOf, memberOf, type JsonNode } from '../json-spans.ts'
import { mayContainToken, nodeOf, objectOf, rawOf, withText } from '../response-json.ts'
import { createResponseRewriter, type ResponseFormat } from '../response-rewriter.ts'
import { withData, type SseEvent } from '../sse.ts'
import { createItemRestorer, type RestoredCall } from './restore-items.ts'
import { createUsageReader } from './usage.ts'

export function responsesRewriter(restore: RestoreInput): CreateRewriter {
  return (head) => createResponseRewriter(head, createFormat(restore))
}

/** One text of a tool call that arrives in pieces. */
interface InputStream {
  /** Its place in the output of the response. */
  readonly item: unknown
  /** Which command, for a call with several. */
  readonly command: unknown
  readonly input: HeldInput<SseEvent>
}

/** Where an event has a piece of an input. `whole` repeats everything up to there. */
interface PieceKind {
  readonly name: string
  readonly isWhole: boolean
}

const delta: PieceKind = { name: 'delta', isWhole: false }
const whole = (name: string): PieceKind => ({ name, isWhole: true })

/** `response.mcp_call_arguments` is not here: the provider runs those calls. */
const pieceKinds: ReadonlyMap<unknown, PieceKind> = new Map([
  ['response.function_call_arguments.delta', delta],
  ['response.function_call_arguments.done', whole('arguments')],
  ['response.custom_tool_call_input.delta', delta],
  ['response.custom_tool_call_input.done', whole('input')],
  ['response.apply_patch_call_operation_diff.delta', delta],
  ['response.apply_patch_call_operation_diff.done', whole('diff')],
  ['response.shell_call_command.added', whole('command')],
  ['response.shell_call_command.delta', delta],
  ['response.shell_call_command.done', whole('command')],
])

function createFormat(restore: RestoreInput): ResponseFormat {
  const usage = createUsageReader()
  const restorer = createItemRestorer(restore)
  const streams = new Map<string, InputStream>()

  const streamOf = ({ output_index: item, command_index: command }: JsonObject): InputStream => {
    const key = JSON.stringify([item, command])
    const stream = streams.get(key) ?? { item, command, input: createHeldInput<SseEvent>() }
    streams.set(key, stream)
    return stream
  }

  const addPiece = (event: SseEvent, data: JsonObject, { name, isWhole }: PieceKind): Buffer[] => {
    const { [name]: text } = data
    if (typeof text !== 'string') return [event.raw]
    const { input } = streamOf(data)
    // An end without pieces before it is a piece itself.
    const more = isWhole ? text.slice(input.text().length) : text
    return rawOf(input.add(more, event))
  }

  /** What was held of an item, now that the whole item is known; as it came where the item was cut off. */
  const release = (index: unknown, call: RestoredCall | undefined): Buffer[] => {
    const released: Buffer[] = []
    for (const [key, stream] of streams) {
      if (stream.item !== index) continue
      streams.delete(key)
      released.push(...piecesFor(stream, call))
    }
    return released
  }
  const releaseAll = (): Buffer[] => [...streams.values()].flatMap(({ item }) => release(item, undefined))

  const withItems = async (
    event: SseEvent,
    data: string,
    items: readonly (JsonNode | undefined)[],
  ): Promise<Buffer> => {
    const changed = await restorer.items(data, items)
    return changed === data ? event.raw : withData(event, changed)
  }

  const onItem = async (event: SseEvent, data: string, isDone: boolean): Promise<Buffer[]> => {
    const { output_index: index } = objectOf(data)
    if (!mayContainToken(data)) return [...(isDone ? release(index, undefined) : []), event.raw]
    const item = memberOf(data, nodeOf(data), 'item')
    const before = isDone ? release(index, await restorer.call(data, item)) : []
    return [...before, await withItems(event, data, [item])]
  }

  const onEnd = async (event: SseEvent, data: string): Promise<Buffer[]> => {
    usage.read(objectOf(data).response)
    if (!mayContainToken(data)) return [...releaseAll(), event.raw]
    const items = itemsOf(memberOf(data, memberOf(data, nodeOf(data), 'response'), 'output'))
    const before: Buffer[] = []
    for (const [index, item] of items.entries()) {
      before.push(...release(index, await restorer.call(data, item)))
    }
    return [...before, ...releaseAll(), await withItems(event, data, items)]
  }

  return {
    async event(event) {
      const { data = '' } = event
      const parsed = objectOf(data)
      const piece = pieceKinds.get(parsed.type)
      if (piece !== undefined) return addPiece(event, parsed, piece)
      switch (typeof parsed.type === 'string' ? parsed.type : '') {
        case 'response.output_item.added':
          return onItem(event, data, false)
        case 'response.output_item.done':
          return onItem(event, data, true)
        case 'response.created':
          usage.read(parsed.response)
          return [event.raw]
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          return onEnd(event, data)
        case 'error':
          return [...releaseAll(), event.raw]
        default:
          return [event.raw]
      }
    },
    endOfEvents: releaseAll,
    async whole(text) {
      usage.read(objectOf(text))
      return restorer.items(text, itemsOf(memberOf(text, nodeOf(text), 'output')))
    },
    report: () => usage.report(),
  }
}

function piecesFor({ input, command }: InputStream, call: RestoredCall | undefined): Buffer[] {
  const original = call && partOf(call.original, call.form, command)
  const restored = call && partOf(call.restored, call.form, command)
  // Where the pieces are not the text of the item, no place in them can be replaced.
  const rest = input.finish(original === input.text() ? restored : undefined)
  let isSent = rest.kind === 'same'
  return rest.pieces.flatMap((event) => {
    const data = objectOf(event.data)
    const { name, isWhole } = pieceKinds.get(data.type) ?? delta
    if (isWhole) {
      const isReplaced = data[name] === original && restored !== undefined && restored !== original
      return [isReplaced ? withText(event, name, restored) : event.raw]
    }
    if (rest.kind === 'same') return [event.raw]
    if (isSent) return []
    isSent = true
    return [withText(event, name, rest.text)]
  })
}

/** The text that the pieces make up: the whole input, or one text in it. */
function partOf(input: string, form: RestoredCall['form'], command: unknown): string | undefined {
  if (form !== 'node') return input
  const { diff, commands } = objectOf(input)
  const part = typeof command === 'number' && Array.isArray(commands) ? commands[command] : diff
  return typeof part === 'string' ? part : undefined
}
