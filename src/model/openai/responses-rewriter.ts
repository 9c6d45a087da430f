/** Responses of the Responses API. Only inputs of tools that the client runs are looked at; all else passes at once. */

import type { JsonObject } from '../../core/json.ts'
import type { CreateRewriter } from '../../core/model.ts'
import type { RestoreInput } from '../dialect.ts'
import { createHeldInput, mayContainToken, type HeldInput } from '../held-input.ts'
import { itemsOf, memberOf, type JsonNode } from '../json-spans.ts'
import { nodeOf, objectOf, rawOf, withText } from '../response-json.ts'
import { createResponseRewriter, type ResponseFormat } from '../response-rewriter.ts'
import { withData, type SseEvent } from '../sse.ts'
import { createUsageReader } from '../usage-reader.ts'
import { createItemRestorer, type RestoredCall } from './restore-items.ts'
import { openaiUsage } from './usage.ts'

export function responsesRewriter(restore: RestoreInput): CreateRewriter {
  return (head) => createResponseRewriter(head, createFormat(restore))
}

/** A tool call that is arriving. */
interface OpenItem {
  /** In order, from the first that may contain a token. */
  held: SseEvent[]
  /** Its texts that come in pieces: one, or the commands of a shell call by their number. */
  readonly inputs: Map<unknown, HeldInput<SseEvent>>
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
  const usage = createUsageReader(openaiUsage)
  const restorer = createItemRestorer(restore)
  const open = new Map<unknown, OpenItem>()

  const addPiece = (event: SseEvent, data: JsonObject, { name, isWhole }: PieceKind): Buffer[] => {
    const { [name]: text, output_index: index, command_index: command } = data
    if (typeof text !== 'string') return [event.raw]
    const item = open.get(index) ?? { held: [], inputs: new Map() }
    const input = item.inputs.get(command) ?? createHeldInput<SseEvent>()
    open.set(index, item)
    item.inputs.set(command, input)
    // An end without pieces before it is a piece itself.
    input.add(isWhole ? text.slice(input.text().length) : text, event)
    return pass(event, item)
  }

  const pass = (event: SseEvent, item: OpenItem | undefined): Buffer[] => {
    if (item === undefined) return [event.raw]
    item.held.push(event)
    if ([...item.inputs.values()].some((input) => input.isHolding())) return []
    const passed = rawOf(item.held)
    item.held = []
    return passed
  }

  /** What was held of an item, now that the whole item is known; as it came where the item was cut off. */
  const release = (index: unknown, call: RestoredCall | undefined): Buffer[] => {
    const item = open.get(index)
    if (item === undefined) return []
    open.delete(index)
    const changed = new Map([...item.inputs].flatMap(([command, input]) => changesFor(input, command, call)))
    return item.held.flatMap((event) => changed.get(event) ?? [event.raw])
  }
  const releaseAll = (): Buffer[] => [...open.keys()].flatMap((index) => release(index, undefined))

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
          return pass(event, open.get(parsed.output_index))
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

/** The held events that change, with what the client gets for each. One piece gets everything that was held. */
function changesFor(
  input: HeldInput<SseEvent>,
  command: unknown,
  call: RestoredCall | undefined,
): [SseEvent, Buffer[]][] {
  const original = call && partOf(call.original, call.form, command)
  const restored = call && partOf(call.restored, call.form, command)
  if (original === undefined || restored === undefined || restored === original) return []
  // Where the pieces are not the text of the item, no place in them can be replaced.
  const rest = input.finish(original === input.text() ? restored : undefined)
  let isSent = false
  return rest.pieces.flatMap((event): [SseEvent, Buffer[]][] => {
    const data = objectOf(event.data)
    const { name, isWhole } = pieceKinds.get(data.type) ?? delta
    if (isWhole) return data[name] === original ? [[event, [withText(event, name, restored)]]] : []
    if (rest.kind === 'same') return []
    const buffers = isSent ? [] : [withText(event, name, rest.text)]
    isSent = true
    return [[event, buffers]]
  })
}

/** The text that the pieces make up: the whole input, or one text in it. */
function partOf(input: string, form: RestoredCall['form'], command: unknown): string | undefined {
  if (form !== 'node') return input
  const { diff, commands } = objectOf(input)
  const part = typeof command === 'number' && Array.isArray(commands) ? commands[command] : diff
  return typeof part === 'string' ? part : undefined
}
