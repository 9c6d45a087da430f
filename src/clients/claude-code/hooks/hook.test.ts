import { expect, it } from 'vitest'

import { hookCaller, readPayload, toolUseOf } from './hook.ts'

const common = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/' }

it.each([
  [{}, 'main'],
  [{ agent_type: 'lead' }, 'main:lead'],
  [{ agent_id: 'a1', agent_type: 'contextd:scanner' }, 'contextd:scanner'],
  [{ agent_id: 'a1', agent_type: 'main' }, 'subagent:main'],
  [{ agent_id: 'a1', agent_type: 'default' }, 'subagent:default'],
  [{ agent_id: 'a1', agent_type: 'fork' }, 'subagent:fork'],
  [{ agent_id: 'a1' }, 'subagent:'],
  [{ agent_id: '', agent_type: '' }, 'main'],
])('%j is %s', (fields, name) => {
  expect(hookCaller({ ...common, ...fields })).toBe(name)
})

it.each([
  'garbage secret-in-it',
  '',
  '[]',
  'null',
  '{}',
  JSON.stringify({ ...common, session_id: undefined }),
  JSON.stringify({ ...common, cwd: 1 }),
  JSON.stringify({ ...common, agent_id: {} }),
  JSON.stringify({ ...common, tool_name: 'Bash' }),
  JSON.stringify({ ...common, tool_name: 'Bash', tool_input: 'ls' }),
])('%s is not a valid payload, and is not repeated', (text) => {
  expect(() => readPayload(text)).toThrow(/^The request is not valid: expected [\w ]+ from the client$/)
})

it('a payload without a tool is valid, except for hooks about tools', () => {
  const payload = readPayload(JSON.stringify(common))
  expect(payload).toEqual(common)
  expect(() => toolUseOf(payload)).toThrow('tool_name')
})
