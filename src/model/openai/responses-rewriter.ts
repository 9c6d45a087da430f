/**
 * Rewrites responses of the Responses API. Only the inputs of tools that the client runs are changed; everything else
 * passes unchanged.
 */

import type { JsonObject } from '@contextd/shared/json/value'
import type { CreateRewriter } from '../../core/model.ts'
import type { RestoreInput } from '../wire/dialect.ts'
import { createEventQueue, type EventQueue } from '../wire/event-queue.ts'
import { createHeldInput, mayContainToken, type HeldInput } from '../wire/held-input.ts'
import { itemsOf, memberOf, type JsonNode } from '../wire/json-spans.ts'
import { nodeOf, objectOf, withText } from '../wire/response-json.ts'
import { createResponseRewriter, type ResponseFormat } from '../wire/response-rewriter.ts'
import { withData, type SseEvent } from '../wire/sse.ts'
import { createUsageReader } from '../wire/usage-reader.ts'
import { createItemRestorer, type RestoredCall } from './restore-items.ts'
import { openaiUsage } from './usage.ts'

export function responsesRewriter(restore: RestoreInput): CreateRewriter {
  return (head) => createResponseRewriter(head, createFormat(restore))
}

/** The streamed texts of a tool call: one, or the commands of a shell call by index. */
type OpenItem = Map<unknown, HeldInput<SseEvent>>

/** Which field of an event contains a part of an input. If `isWhole`, it repeats the complete text so far. */
interface PieceKind {
  readonly name: string
  readonly isWhole: boolean
}

const delta: PieceKind = { name: 'delta', isWhole: false }
const whole = (name: string): PieceKind => ({ name, isWhole: true })

/** `response.mcp_call_arguments` is missing because the provider runs those calls. */
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
  const usage = createUsageReader(openaiUsage)
  const restorer = createItemRestorer(restore)
  const queue = createEventQueue()
  /** Items that end without a done event are incomplete, and are not restored. */
  const open = new Map<unknown, OpenItem>()

  const addPiece = (event: SseEvent, data: JsonObject, { name, isWhole }: PieceKind): void => {
    const { [name]: text, output_index: index, command_index: command } = data
    if (typeof text !== 'string') return
    const item: OpenItem = open.get(index) ?? new Map()
    const input = item.get(command) ?? createHeldInput<SseEvent>()
    open.set(index, item)
    item.set(command, input)
    // If there were no deltas, the done event contains the whole text.
    input.add(isWhole ? text.slice(input.text().length) : text, event)
  }

  /** Called when the complete item is known. */
  const close = (index: unknown, call: RestoredCall | undefined): void => {
    for (const [command, input] of open.get(index) ?? []) changePieces(queue, input, command, call)
    open.delete(index)
  }

  const restoreItems = async (
    event: SseEvent,
    data: string,
    items: readonly (JsonNode | undefined)[],
  ): Promise<void> => {
    const changed = await restorer.items(data, items)
    if (changed !== data) queue.replace(event, [withData(event, changed)])
  }

  const onItem = async (event: SseEvent, data: string, isDone: boolean): Promise<void> => {
    const { output_index: index } = objectOf(data)
    const item = mayContainToken(data) ? memberOf(data, nodeOf(data), 'item') : undefined
    if (isDone) close(index, await restorer.call(data, item))
    await restoreItems(event, data, [item])
  }

  const onEnd = async (event: SseEvent, data: string): Promise<void> => {
    usage.read(objectOf(data).response)
    if (mayContainToken(data)) {
      const items = itemsOf(memberOf(data, memberOf(data, nodeOf(data), 'response'), 'output'))
      for (const [index, item] of items.entries()) close(index, await restorer.call(data, item))
      await restoreItems(event, data, items)
    }
    open.clear()
  }

  const read = async (event: SseEvent): Promise<void> => {
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
        return usage.read(parsed.response)
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return onEnd(event, data)
      case 'error':
        return open.clear()
      default:
    }
  }

  const isHolding = (): boolean =>
    [...open.values()].some((item) => [...item.values()].some((input) => input.isHolding()))

  return {
    async event(event) {
      queue.add(event)
      await read(event)
      return isHolding() ? [] : queue.take()
    },
    endOfEvents: queue.take,
    async whole(text) {
      usage.read(objectOf(text))
      return restorer.items(text, itemsOf(memberOf(text, nodeOf(text), 'output')))
    },
    report: () => usage.report(),
  }
}

/** Writes the restored text into the held events: the first delta gets all of it, the others are removed. */
function changePieces(
  queue: EventQueue,
  input: HeldInput<SseEvent>,
  command: unknown,
  call: RestoredCall | undefined,
): void {
  const original = call && partOf(call.original, call.form, command)
  const restored = call && partOf(call.restored, call.form, command)
  if (original === undefined || restored === undefined || restored === original) return
  // If the deltas do not add up to the item's text, they cannot be replaced.
  const rest = input.finish(original === input.text() ? restored : undefined)
  let isSent = false
  for (const event of rest.pieces) {
    const data = objectOf(event.data)
    const { name, isWhole } = pieceKinds.get(data.type) ?? delta
    if (isWhole) {
      if (data[name] === original) queue.replace(event, [withText(event, [name], restored)])
    } else if (rest.kind === 'changed') {
      queue.replace(event, isSent ? [] : [withText(event, [name], rest.text)])
      isSent = true
    }
  }
}

/** The text that the deltas form: the whole input, or one text in it. */
function partOf(input: string, form: RestoredCall['form'], command: unknown): string | undefined {
  if (form !== 'node') return input
  const { diff, commands } = objectOf(input)
  const part = typeof command === 'number' && Array.isArray(commands) ? commands[command] : diff
  return typeof part === 'string' ? part : undefined
}
