import { setTimeout as delay } from 'node:timers/promises'

import type { JsonObject } from '../../src/core/json.ts'
import type { Tool } from '../../src/core/tool.ts'
import { png, wav } from './fixture-media.ts'
import { asks, blocks, fixtureTool, sampling, text } from './fixture-tool.ts'

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

/** Tools that answer without asking anybody. `onChange` is called by those that stand for a change of the lists. */
export function answeringTools(onChange: () => void): readonly Tool[] {
  return [
    fixtureTool('test_simple_text', async () => text('This is a simple text response for testing.')),
    fixtureTool('test_image_content', async () => blocks(image)),
    fixtureTool('test_audio_content', async () =>
      blocks({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
    ),
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
        host.log('info', message)
        await delay(50)
      }
      return text('Logged three messages')
    }),
    fixtureTool('test_logging_tool', async (_, host) => {
      host.log('info', 'This goes out only to those who asked for it')
      return text('Logged')
    }),
    fixtureTool('test_tool_with_progress', async (_, host) => {
      for (const progress of [0, 50, 100]) {
        host.progress({ progress, total: 100 })
        await delay(50)
      }
      return text('Reported progress')
    }),
    fixtureTool('test_missing_capability', async () => asks({ question: sampling('Anything') })),
    fixtureTool('test_trigger_tool_change', async () => {
      onChange()
      return text('Changed')
    }),
    fixtureTool('test_trigger_prompt_change', async () => {
      onChange()
      return text('Changed')
    }),
    fixtureTool('json_schema_2020_12_tool', async () => text('Called'), schema2020),
    fixtureTool('test_x_mcp_header', async () => text('Called'), {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    }),
  ]
}
