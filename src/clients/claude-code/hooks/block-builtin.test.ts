import { expect, it } from 'vitest'

import { blockBuiltin } from './block-builtin.ts'
import type { HookPayload, HookPorts } from './hook.ts'
import { noDoor } from '../../../../test/support/hook-door.ts'

const payload = (tool_name: string): HookPayload => ({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: '/',
  tool_name,
  tool_input: {},
})
const ports = (mode: 'friendly' | 'strict', env: NodeJS.ProcessEnv = {}): HookPorts => ({
  mode,
  env,
  allowProtected: [],
  door: noDoor,
  ownFolders: [],
  program: [],
  privateFiles: async () => [],
  session: () => Promise.reject(new Error('this hook needs no store')),
  memory: () => Promise.reject(new Error('this hook needs no memory')),
})

it.each([
  ['Bash', 'safe_bash'],
  ['Monitor', 'safe_bash'],
  ['Read', 'safe_read'],
  ['Write', 'safe_write'],
  ['Edit', 'safe_edit'],
  ['NotebookEdit', 'safe_write'],
  ['WebFetch', 'http_fetch'],
])('strict mode refuses %s in favour of %s, friendly mode does not', async (builtin, ours) => {
  expect(await blockBuiltin(payload(builtin), ports('friendly'))).toBeUndefined()
  const refused = await blockBuiltin(payload(builtin), ports('strict'))
  expect(refused).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(JSON.stringify(refused)).toContain(`mcp__contextd__${ours}`)
  const inPlugin = await blockBuiltin(payload(builtin), ports('strict', { CLAUDE_PLUGIN_ROOT: '/p' }))
  expect(JSON.stringify(inPlugin)).toContain(`mcp__plugin_contextd_contextd__${ours}`)
})

it.each(['Agent', 'Skill', 'ToolSearch', 'mcp__contextd__safe_bash', 'toString'])(
  '%s stays in strict mode too',
  async (tool) => {
    expect(await blockBuiltin(payload(tool), ports('strict'))).toBeUndefined()
  },
)
