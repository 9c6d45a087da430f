import { expect, test } from 'vitest'

import { CONTROL_SERVER, OWN_SERVER } from '../core/call.ts'
import { answer } from '../core/result.ts'
import type { Tool } from '../core/tool.ts'
import { createCatalogue, withControlTools } from './catalogue.ts'

function tool(name: string, server: string): Tool {
  return {
    definition: { name, description: name, inputSchema: { type: 'object' } },
    server,
    needs: [],

    run: async () => answer({}),
  }
}

const gateway = { list: async () => [], findListed: () => undefined, tool: () => tool('policy.list', 'x') }
const none = { tools: () => [], find: () => undefined }
const hello = tool('hello', OWN_SERVER)
const operation = tool('policy.list', CONTROL_SERVER)

test('control operations are only found under their server', () => {
  const agents = createCatalogue([hello], none, gateway, () => undefined)
  const all = withControlTools(agents, [operation])
  expect(all.find('policy.list', CONTROL_SERVER)).toBe(operation)
  expect(all.find('policy.list')).toBeUndefined()
  expect(all.find('policy.list', OWN_SERVER)).toBeUndefined()
  expect(all.tools()).toEqual([hello])
  expect(all.find('hello')).toBe(hello)
})

test('without control operations, no other server can take their place', () => {
  const agents = createCatalogue([hello], none, gateway, () => undefined)
  for (const catalogue of [agents, withControlTools(agents, [])]) {
    expect(catalogue.find('policy.list', CONTROL_SERVER)).toBeUndefined()
    expect(catalogue.find('policy.list', 'x')).toBeDefined()
  }
})
