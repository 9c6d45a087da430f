import type { JsonObject } from '@contextd/shared/json/value'

/** The blocks of an answer as OpenAI's Chat Completions API streams them: tool inputs in two pieces. */
export function* chatChunks(
  model: JsonObject[string] | undefined,
  content: readonly JsonObject[],
): Iterable<JsonObject> {
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 0,
    model: model ?? null,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  yield chunk({ role: 'assistant', content: '' })
  const uses = content.filter(({ type }) => type === 'tool_use')
  for (const { text } of content) if (typeof text === 'string') yield chunk({ content: text })
  for (const [index, { id, name, input }] of uses.entries()) {
    const text = JSON.stringify(input)
    const half = text.length >> 1
    const first = { name: name ?? null, arguments: text.slice(0, half) }
    yield chunk({ tool_calls: [{ index, id: id ?? null, type: 'function', function: first }] })
    yield chunk({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] })
  }
  yield chunk({}, uses.length > 0 ? 'tool_calls' : 'stop')
  yield {
    ...chunk({}),
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  }
}
