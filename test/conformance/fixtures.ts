import type { JsonObject } from '../../src/core/json.ts'
import { refusal, type Payload } from '../../src/core/result.ts'
import type { PayloadSource, Tool } from '../../src/core/tool.ts'
import { answeringTools } from './answering-tools.ts'
import { answerTo, askingTools } from './asking-tools.ts'
import { png } from './fixture-media.ts'
import { asks, form } from './fixture-tool.ts'

/** What the conformance suite expects to find on a server. */
export function createFixtures(): { tools: readonly Tool[]; payloads: PayloadSource } {
  const listeners = new Set<(uri?: string) => void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    tools: [...answeringTools(changed), ...askingTools],
    payloads: {
      lists,
      prompt: async (name, args, host) => {
        if (name === 'test_input_required_result_prompt') {
          const answer = answerTo(host, 'user_context')
          return answer === undefined
            ? asks({ user_context: form('What context should the prompt use?', 'context') })
            : messages({ type: 'text', text: `Context: ${JSON.stringify(answer.content)}` })
        }
        return prompts[name]?.(args) ?? refusal('NOT_FOUND', { what: 'such prompt' })
      },
      resource: async (uri) => {
        const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
        if (id !== undefined) {
          const data = { id, templateTest: true, data: `Data for ID: ${id}` }
          return contents({ uri, mimeType: 'application/json', text: JSON.stringify(data) })
        }
        const resource = resources[uri]
        return resource === undefined
          ? refusal('NOT_FOUND', { what: 'such resource', uri })
          : contents({ uri, ...resource })
      },
      onChanged(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  }
}

const resources: Record<string, JsonObject> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
  'test://example-resource': { mimeType: 'text/plain', text: 'Example resource content' },
}

const prompts: Record<string, (args: JsonObject) => Payload> = {
  test_simple_prompt: () => messages({ type: 'text', text: 'This is a simple prompt for testing.' }),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    messages({
      type: 'text',
      text: `Prompt with arguments: arg1='${arg1 as string}', arg2='${arg2 as string}'`,
    }),
  test_prompt_with_embedded_resource: ({ resourceUri }) =>
    messages(
      {
        type: 'resource',
        resource: {
          uri: resourceUri as string,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      { type: 'text', text: 'Please process the embedded resource above.' },
    ),
  test_prompt_with_image: () =>
    messages(
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'text', text: 'Please analyze the image above.' },
    ),
}

const lists: PayloadSource['lists'] = {
  prompts: [
    { name: 'test_simple_prompt', description: 'A prompt without arguments' },
    {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with two arguments',
      arguments: [
        { name: 'arg1', description: 'First test argument', required: true },
        { name: 'arg2', description: 'Second test argument', required: true },
      ],
    },
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt that embeds a resource',
      arguments: [{ name: 'resourceUri', description: 'Address of the resource', required: true }],
    },
    { name: 'test_prompt_with_image', description: 'A prompt with an image' },
    { name: 'test_input_required_result_prompt', description: 'A prompt that asks first' },
  ],
  resources: Object.entries(resources).map(([uri, { mimeType = '' }]) => ({
    uri,
    name: uri,
    description: `Fixture ${uri}`,
    mimeType,
  })),
  resourceTemplates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'A resource with a parameter',
      mimeType: 'application/json',
    },
  ],
}

function messages(...content: JsonObject[]): Payload {
  return { kind: 'payload', value: { messages: content.map((block) => ({ role: 'user', content: block })) } }
}

function contents(...items: JsonObject[]): Payload {
  return { kind: 'payload', value: { contents: items } }
}
