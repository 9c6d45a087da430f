/** The formats of model providers as clients and providers write them, for tests that cover all of them. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { ModelApi } from '../../src/core/model.ts'
import { dataOf } from './model-streams.ts'

/** A tool call of the model. */
export interface WireCall {
  readonly tool: string
  /** JSON, or free text for a tool that accepts it. */
  readonly input: string
  readonly form: 'json' | 'text'
}

export interface ModelWire {
  readonly api: ModelApi
  /** Whether it has tools that accept free text. */
  readonly hasFreeText: boolean
  path(isStream: boolean): string
  /** A request with the user's text and, optionally, a call as the client received it, with its result. */
  request(userText: string, call?: WireCall, result?: string): JsonObject
  /** The body of a response with this call. */
  whole(call: WireCall): string
  /** The same as a stream, with the input split into these pieces. */
  stream(call: WireCall, pieces: readonly string[]): string
  /** The input that a client parses from a response. */
  inputIn(response: string): string
  /** The call and its result in a request. */
  turnIn(request: string): { readonly input: string; readonly result: string }
  /** Fields of a denial by contextd in this format, in addition to its message. */
  error(status: 400 | 403 | 429): JsonObject
}

const id = 'call_1'
const isStream = (response: string): boolean => !response.startsWith('{')
const eventsOf = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
/** JSON that contains other JSON verbatim. */
const withInput = (outer: object, input: string): string =>
  JSON.stringify(outer).replace('"the input"', () => input)

const anthropicUsage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 20,
}
const anthropicCall = ({ tool, input }: WireCall): JsonObject => ({
  type: 'tool_use',
  id,
  name: tool,
  input: JSON.parse(input) as JsonObject,
})
const anthropic: ModelWire = {
  api: 'anthropic',
  hasFreeText: false,
  path: () => '/v1/messages',
  request: (userText, call, result = '') => ({
    model: 'model-of-the-test',
    max_tokens: 10,
    messages: [
      { role: 'user', content: userText },
      ...(call === undefined
        ? []
        : [
            { role: 'assistant', content: [anthropicCall(call)] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
          ]),
    ],
  }),
  whole: ({ tool, input }) =>
    withInput(
      {
        type: 'message',
        role: 'assistant',
        model: 'model-of-the-test',
        content: [{ type: 'tool_use', id, name: tool, input: 'the input' }],
        usage: anthropicUsage,
      },
      input,
    ),
  stream: ({ tool }, pieces) =>
    eventsOf([
      { type: 'message_start', message: { model: 'model-of-the-test', usage: anthropicUsage } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id, name: tool, input: {} },
      },
      { type: 'ping' },
      ...pieces.map((piece) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: piece },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ]),
  inputIn(response) {
    if (!isStream(response)) return JSON.stringify(JSON.parse(response).content[0].input)
    return dataOf<{ delta?: { partial_json?: string } }>(response)
      .map(({ delta }) => delta?.partial_json ?? '')
      .join('')
  },
  turnIn(request) {
    const [, { content: calls }, { content: results }] = JSON.parse(request).messages
    return { input: JSON.stringify(calls[0].input), result: results[0].content }
  },
  error: (status) => ({
    type: 'error',
    error: {
      type: { 400: 'invalid_request_error', 403: 'permission_error', 429: 'rate_limit_error' }[status],
    },
  }),
}

const openaiError = (status: 400 | 403 | 429): JsonObject => ({
  error: {
    type: { 400: 'invalid_request_error', 403: 'permission_error', 429: 'rate_limit_error' }[status],
    param: null,
  },
})

const responsesItem = ({ tool, input, form }: WireCall): JsonObject => ({
  type: form === 'json' ? 'function_call' : 'custom_tool_call',
  call_id: id,
  name: tool,
  [form === 'json' ? 'arguments' : 'input']: input,
})
const responsesEnd = (call: WireCall): JsonObject => ({
  model: 'model-of-the-test',
  output: [responsesItem(call)],
  usage: { input_tokens: 130, input_tokens_details: { cached_tokens: 100 }, output_tokens: 5 },
})
const responses: ModelWire = {
  api: 'openai',
  hasFreeText: true,
  path: () => '/v1/responses',
  request: (userText, call, result = '') => ({
    model: 'model-of-the-test',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: userText }] },
      ...(call === undefined
        ? []
        : [
            responsesItem(call),
            {
              type: call.form === 'json' ? 'function_call_output' : 'custom_tool_call_output',
              call_id: id,
              output: result,
            },
          ]),
    ],
  }),
  whole: (call) => JSON.stringify(responsesEnd(call)),
  stream(call, pieces) {
    const type = call.form === 'json' ? 'response.function_call_arguments' : 'response.custom_tool_call_input'
    const name = call.form === 'json' ? 'arguments' : 'input'
    return eventsOf([
      { type: 'response.output_item.added', output_index: 0, item: responsesItem({ ...call, input: '' }) },
      ...pieces.map((delta) => ({ type: `${type}.delta`, output_index: 0, delta })),
      { type: `${type}.done`, output_index: 0, [name]: call.input },
      { type: 'response.output_item.done', output_index: 0, item: responsesItem(call) },
      { type: 'response.completed', response: responsesEnd(call) },
    ])
  },
  /** Throws if the copies of the input differ. */
  inputIn(response) {
    type InputFields = { arguments?: string; input?: string }
    const inputOf = (fields: InputFields | undefined): string => String(fields?.arguments ?? fields?.input)
    if (!isStream(response)) return inputOf(JSON.parse(response).output[0])
    const events = dataOf<
      InputFields & { delta?: string; item?: InputFields; response?: { output: InputFields[] } }
    >(response)
    const [done, item, completed] = events.slice(-3)
    const inputs = new Set([
      events.map(({ delta }) => delta ?? '').join(''),
      inputOf(done),
      inputOf(item?.item),
      inputOf(completed?.response?.output[0]),
    ])
    if (inputs.size !== 1) throw new Error(`the stream contains different inputs: ${[...inputs].join(' | ')}`)
    return [...inputs][0]!
  },
  turnIn(request) {
    const [, call, { output }] = JSON.parse(request).input
    return { input: call.arguments ?? call.input, result: output }
  },
  error: openaiError,
}

const chatCall = ({ tool, input, form }: WireCall): JsonObject =>
  form === 'json'
    ? { id, type: 'function', function: { name: tool, arguments: input } }
    : { id, type: 'custom', custom: { name: tool, input } }
const chatUsage = {
  prompt_tokens: 130,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 100 },
}
const chat: ModelWire = {
  api: 'openai',
  hasFreeText: true,
  path: () => '/v1/chat/completions',
  request: (userText, call, result = '') => ({
    model: 'model-of-the-test',
    messages: [
      { role: 'user', content: userText },
      ...(call === undefined
        ? []
        : [
            { role: 'assistant', content: null, tool_calls: [chatCall(call)] },
            { role: 'tool', tool_call_id: id, content: result },
          ]),
    ],
  }),
  whole: (call) =>
    JSON.stringify({
      model: 'model-of-the-test',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [chatCall(call)] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: chatUsage,
    }),
  stream({ tool, form }, pieces) {
    const chunk = (delta: object, reason: string | null = null): object => ({
      model: 'model-of-the-test',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })
    const start = { ...chatCall({ tool, input: '', form }), index: 0 }
    const part = (piece: string): object =>
      form === 'json' ? { index: 0, function: { arguments: piece } } : { index: 0, custom: { input: piece } }
    const chunks = [
      chunk({ role: 'assistant', tool_calls: [start] }),
      ...pieces.map((piece) => chunk({ tool_calls: [part(piece)] })),
      chunk({}, 'tool_calls'),
      { model: 'model-of-the-test', choices: [], usage: chatUsage },
    ]
    return `${eventsOf(chunks)}data: [DONE]\n\n`
  },
  inputIn(response) {
    type Call = { function?: { arguments?: string }; custom?: { input?: string } }
    const inputOf = ({ function: called, custom }: Call): string => called?.arguments ?? custom?.input ?? ''
    if (!isStream(response)) return inputOf(JSON.parse(response).choices[0].message.tool_calls[0])
    return dataOf<{ choices: { delta: { tool_calls?: Call[] } }[] }>(response)
      .flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []))
      .map(inputOf)
      .join('')
  },
  turnIn(request) {
    const [, { tool_calls: calls }, { content: result }] = JSON.parse(request).messages
    return { input: calls[0].function?.arguments ?? calls[0].custom.input, result }
  },
  error: openaiError,
}

const geminiUsage = {
  promptTokenCount: 130,
  candidatesTokenCount: 5,
  cachedContentTokenCount: 100,
}
/** No id: the API omits it unless several calls run concurrently. */
const geminiResponse = (parts: readonly object[]): object => ({
  candidates: [{ content: { role: 'model', parts } }],
  usageMetadata: geminiUsage,
  modelVersion: 'model-of-the-test',
})
const gemini: ModelWire = {
  api: 'gemini',
  hasFreeText: false,
  path: (stream) =>
    `/v1beta/models/model-of-the-test:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  request: (userText, call, result = '') => ({
    contents: [
      { role: 'user', parts: [{ text: userText }] },
      ...(call === undefined
        ? []
        : [
            { role: 'model', parts: [{ functionCall: { name: call.tool, args: JSON.parse(call.input) } }] },
            {
              role: 'user',
              parts: [{ functionResponse: { name: call.tool, response: { output: result } } }],
            },
          ]),
    ],
  }),
  whole: ({ tool, input }) =>
    withInput(geminiResponse([{ functionCall: { name: tool, args: 'the input' } }]), input),
  /** A function call is not split; the pieces are thoughts before it. */
  stream: (call, pieces) =>
    eventsOf(pieces.map((text) => geminiResponse([{ text, thought: true }]))) +
    // Line breaks are not part of an event's data.
    `data: ${gemini.whole({ ...call, input: call.input.replaceAll('\n', ' ') })}\n\n`,
  inputIn(response) {
    const last = isStream(response) ? dataOf<JsonObject>(response).at(-1) : JSON.parse(response)
    return JSON.stringify(last.candidates[0].content.parts[0].functionCall.args)
  },
  turnIn(request) {
    const [, call, answer] = JSON.parse(request).contents
    const input = JSON.stringify(call.parts[0].functionCall.args)
    return { input, result: answer.parts[0].functionResponse.response.output }
  },
  error: (status) => ({
    error: {
      code: status,
      status: { 400: 'INVALID_ARGUMENT', 403: 'PERMISSION_DENIED', 429: 'RESOURCE_EXHAUSTED' }[status],
    },
  }),
}

export const modelWires: Readonly<Record<string, ModelWire>> = {
  'Anthropic, Messages': anthropic,
  'OpenAI, Responses': responses,
  'OpenAI, Chat Completions': chat,
  Gemini: gemini,
}
