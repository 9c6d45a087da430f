import type { JsonObject } from '@contextd/shared/json/value'
import { png } from './fixture-media.ts'
import { asks, form, type FixtureHost } from './fixture-tool.ts'

export interface FixturePrompt {
  readonly description: string
  /** What its arguments mean; all are required. */
  readonly arguments?: Readonly<Record<string, string>>
  get(args: JsonObject, host: FixtureHost): JsonObject
}

export const prompts: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: {
    description: 'A prompt without arguments',
    get: () => messages({ type: 'text', text: 'This is a simple prompt for testing.' }),
  },
  test_prompt_with_arguments: {
    description: 'A prompt with two arguments',
    arguments: { arg1: 'First test argument', arg2: 'Second test argument' },
    get: ({ arg1, arg2 }) =>
      messages({
        type: 'text',
        text: `Prompt with arguments: arg1='${arg1 as string}', arg2='${arg2 as string}'`,
      }),
  },
  test_prompt_with_embedded_resource: {
    description: 'A prompt that embeds a resource',
    arguments: { resourceUri: 'Address of the resource' },
    get: ({ resourceUri }) =>
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
  },
  test_prompt_with_image: {
    description: 'A prompt with an image',
    get: () =>
      messages(
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  },
  test_input_required_result_prompt: {
    description: 'A prompt that asks first',
    get: (_, host) => {
      const answer = host.answer('user_context')
      return answer === undefined
        ? asks({ user_context: form('What context should the prompt use?', 'context') })
        : messages({ type: 'text', text: `Context: ${JSON.stringify(answer.content)}` })
    },
  },
}

export const resources: Readonly<Record<string, { mimeType: string; text?: string; blob?: string }>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
  'test://example-resource': { mimeType: 'text/plain', text: 'Example resource content' },
}

export const resourceTemplate = 'test://template/{id}/data'

export function templateContent(id: string): { mimeType: string; text: string } {
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return { mimeType: 'application/json', text: JSON.stringify(data) }
}

function messages(...content: JsonObject[]): JsonObject {
  return { messages: content.map((block) => ({ role: 'user', content: block })) }
}
