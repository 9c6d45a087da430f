import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import {
  asks,
  elicitation,
  fixtureTool,
  form,
  roots,
  sampling,
  text,
  type FixtureHost,
  type FixtureTool,
} from './fixture-tool.ts'

async function elicit(host: FixtureHost, message: string, properties: JsonObject): Promise<JsonObject> {
  const reply = host.answer('form')
  if (reply === undefined) return asks({ form: elicitation(message, properties) })
  return text(
    `Elicitation completed: action=${reply.action as string}, content=${JSON.stringify(reply.content ?? {})}`,
  )
}

const titled = (...names: string[]): JsonObject[] =>
  names.map((title, at) => ({ const: `value${at + 1}`, title }))
const options = ['option1', 'option2', 'option3']

/** Tools whose question is what they are about. */
const plainTools: readonly FixtureTool[] = [
  fixtureTool(
    'test_sampling',
    async (args, host) => {
      const reply = host.answer('completion')
      return reply === undefined
        ? asks({ completion: sampling(args.prompt as string) })
        : text(`LLM response: ${JSON.stringify(reply.content)}`)
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

/** Tools that are about how questions and answers travel. */
const roundTools: readonly FixtureTool[] = [
  fixtureTool('test_input_required_result_elicitation', async (_, host) => {
    const answer = host.answer('user_name')
    const content = isJsonObject(answer?.content) ? answer.content : undefined
    return content === undefined
      ? asks({ user_name: form('What is your name?', 'name') })
      : text(`Hello, ${content.name as string}!`)
  }),
  fixtureTool('test_input_required_result_sampling', async (_, host) => {
    const answer = host.answer('capital_question')
    return answer === undefined
      ? asks({ capital_question: sampling('What is the capital of France?') })
      : text(JSON.stringify(answer.content))
  }),
  fixtureTool('test_input_required_result_list_roots', async (_, host) => {
    const answer = host.answer('client_roots')
    return answer === undefined ? asks({ client_roots: roots }) : text(JSON.stringify(answer.roots))
  }),
  ...['test_input_required_result_request_state', 'test_input_required_result_tampered_state'].map((name) =>
    fixtureTool(name, async (_, host) =>
      host.state === 'waiting' && host.answer('confirm') !== undefined
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
    const complete = Object.keys(questions).every((key) => host.answer(key) !== undefined)
    return complete ? text('Got all three answers') : asks(questions, 'waiting')
  }),
  fixtureTool('test_input_required_result_multi_round', async (_, host) => {
    const { state } = host
    if (state === 'second' && host.answer('step2') !== undefined) return text('Both steps done')
    if (state === 'first' && host.answer('step1') !== undefined) {
      return asks({ step2: form('Step 2: What is your favorite color?', 'color') }, 'second')
    }
    return asks({ step1: form('Step 1: What is your name?', 'name') }, 'first')
  }),
  fixtureTool('test_input_required_result_capabilities', async (_, host) => {
    return asks({
      ...(host.can('elicitation') && { name: form('What is your name?', 'name') }),
      ...(host.can('sampling') && { greeting: sampling('Generate a greeting') }),
    })
  }),
  fixtureTool('test_streaming_elicitation', async (_, host) => {
    await host.progress(1)
    return asks({ name: form('What is your name?', 'name') })
  }),
]

export const askingTools: readonly FixtureTool[] = [...plainTools, ...roundTools]
