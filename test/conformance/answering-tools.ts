import { setTimeout as delay } from 'node:timers/promises'

import type { JsonObject } from '@contextd/shared/json/value'
import { png, wav } from './fixture-media.ts'
import { asks, blocks, fixtureTool, sampling, text, type FixtureTool } from './fixture-tool.ts'

const image = { type: 'image', data: png, mimeType: 'image/png' }

const schema2020: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema, not a promise
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

/** Tools that answer without asking anybody. */
export const answeringTools: readonly FixtureTool[] = [
  fixtureTool('test_simple_text', async () => text('This is a simple text response for testing.')),
  fixtureTool('test_image_content', async () => blocks(image)),
  fixtureTool('test_audio_content', async () => blocks({ type: 'audio', data: wav, mimeType: 'audio/wav' })),
  fixtureTool('test_embedded_resource', async () =>
    blocks({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  ),
  fixtureTool('test_multiple_content_types', async () =>
    blocks({ type: 'text', text: 'Multiple content types test:' }, image, {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data"}',
      },
    }),
  ),
  fixtureTool('test_error_handling', async () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  fixtureTool('test_tool_with_logging', async (_, host) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await host.log(message)
      await delay(50)
    }
    return text('Logged three messages')
  }),
  fixtureTool('test_logging_tool', async (_, host) => {
    await host.log('This goes out only to those who asked for it')
    return text('Logged')
  }),
  fixtureTool('test_tool_with_progress', async (_, host) => {
    for (const progress of [0, 50, 100]) {
      await host.progress(progress, 100)
      await delay(50)
    }
    return text('Reported progress')
  }),
  fixtureTool('test_missing_capability', async () => asks({ question: sampling('Anything') })),
  fixtureTool('test_trigger_tool_change', async (_, host) => {
    host.changed('tools')
    return text('Changed')
  }),
  fixtureTool('test_trigger_prompt_change', async (_, host) => {
    host.changed('prompts')
    return text('Changed')
  }),
  fixtureTool('json_schema_2020_12_tool', async () => text('Called'), schema2020),
  fixtureTool('test_x_mcp_header', async () => text('Called'), {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  }),
]
