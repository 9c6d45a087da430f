import { isJsonObject, type JsonObject } from '../../src/core/json.ts'
import type { ToolHost } from '../../src/core/ports.ts'
import type { Result } from '../../src/core/result.ts'
import type { Tool } from '../../src/core/tool.ts'
import { asks, fixtureTool, form, roots, sampling, text } from './fixture-tool.ts'

/** What the client answered to one of our questions; undefined for anything that is no answer. */
export function answerTo(host: ToolHost, key: string): JsonObject | undefined {
  const answer = host.call.input?.responses?.[key]
  return isJsonObject(answer) ? answer : undefined
}

async function elicit(host: ToolHost, message: string, properties: JsonObject): Promise<Result> {
  const requestedSchema = { type: 'object', properties, required: [] }
  const reply = await host.call.ask?.({ kind: 'elicitation', params: { message, requestedSchema } })
  return text(
    `Elicitation completed: action=${reply?.action as string}, content=${JSON.stringify(reply?.content ?? {})}`,
  )
}

const titled = (...names: string[]): JsonObject[] =>
  names.map((title, at) => ({ const: `value${at + 1}`, title }))
const options = ['option1', 'option2', 'option3']

/** Tools that ask while they run; the door finds a way in either era. */
const waitingTools: readonly Tool[] = [
  fixtureTool(
    'test_sampling',
    async (args, host) => {
      const params = sampling(args.prompt as string).params as JsonObject
      const reply = await host.call.ask?.({ kind: 'sampling', params })
      return text(`LLM response: ${JSON.stringify(reply?.content)}`)
    },
    { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  ),
  fixtureTool(
    'test_elicitation',
    (args, host) =>
      elicit(host, args.message as string, {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }),
    { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  ),
  fixtureTool('test_elicitation_sep1034_defaults', (_, host) =>
    elicit(host, 'Please review', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  ),
  fixtureTool('test_elicitation_sep1330_enums', (_, host) =>
    elicit(host, 'Please choose', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: {
        type: 'array',
        items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
      },
    }),
  ),
]

/** Tools that end with their question and are called again with the answer. */
const returningTools: readonly Tool[] = [
  fixtureTool('test_input_required_result_elicitation', async (_, host) => {
    const answer = answerTo(host, 'user_name')
    const content = isJsonObject(answer?.content) ? answer.content : undefined
    return content === undefined
      ? asks({ user_name: form('What is your name?', 'name') })
      : text(`Hello, ${content.name as string}!`)
  }),
  fixtureTool('test_input_required_result_sampling', async (_, host) => {
    const answer = answerTo(host, 'capital_question')
    return answer === undefined
      ? asks({ capital_question: sampling('What is the capital of France?') })
      : text(JSON.stringify(answer.content))
  }),
  fixtureTool('test_input_required_result_list_roots', async (_, host) => {
    const answer = answerTo(host, 'client_roots')
    return answer === undefined ? asks({ client_roots: roots }) : text(JSON.stringify(answer.roots))
  }),
  ...['test_input_required_result_request_state', 'test_input_required_result_tampered_state'].map((name) =>
    fixtureTool(name, async (_, host) =>
      host.call.input?.state === 'waiting' && answerTo(host, 'confirm') !== undefined
        ? text('state-ok')
        : asks({ confirm: form('Please confirm', 'ok', 'boolean') }, 'waiting'),
    ),
  ),
  fixtureTool('test_input_required_result_multiple_inputs', async (_, host) => {
    const questions = {
      user_name: form('What is your name?', 'name'),
      greeting: sampling('Generate a greeting', 50),
      client_roots: roots,
    }
    const complete = Object.keys(questions).every((key) => answerTo(host, key) !== undefined)
    return complete ? text('Got all three answers') : asks(questions, 'waiting')
  }),
  fixtureTool('test_input_required_result_multi_round', async (_, host) => {
    const { state } = host.call.input ?? {}
    if (state === 'second' && answerTo(host, 'step2') !== undefined) return text('Both steps done')
    if (state === 'first' && answerTo(host, 'step1') !== undefined) {
      return asks({ step2: form('Step 2: What is your favorite color?', 'color') }, 'second')
    }
    return asks({ step1: form('Step 1: What is your name?', 'name') }, 'first')
  }),
  fixtureTool('test_input_required_result_capabilities', async (_, host) => {
    const can = host.call.ask?.kinds ?? []
    return asks({
      ...(can.includes('elicitation') && { name: form('What is your name?', 'name') }),
      ...(can.includes('sampling') && { greeting: sampling('Generate a greeting') }),
    })
  }),
  fixtureTool('test_streaming_elicitation', async (_, host) => {
    host.progress({ progress: 1, message: 'about to ask' })
    return asks({ name: form('What is your name?', 'name') })
  }),
]

export const askingTools: readonly Tool[] = [...waitingTools, ...returningTools]
