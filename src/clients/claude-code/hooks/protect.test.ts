import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { clientFolders, scanner, who, type ClientFolders } from '../../../../test/support/client-folders.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { HookPayload } from './hook.ts'

let folders: ClientFolders
beforeAll(() => {
  folders = clientFolders()
})
afterAll(() => folders.remove())

async function isRefused(tool: string, input: JsonObject, caller?: Partial<HookPayload>): Promise<boolean> {
  const output = await folders.ask(tool, input, caller)
  if (output === undefined) return false
  expect(output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  // A refusal does not repeat the request.
  expect(JSON.stringify(output)).not.toContain(folders.home)
  return true
}

describe('paths', () => {
  it.each([
    ['Read', { file_path: 'TRANSCRIPT' }],
    ['Read', { file_path: `TASKS/${scanner}.output` }],
    // A teammate, a workflow, and a kind that is not known.
    ...['t123abcde', 'w123abcde', 'B123abcde'].map((id) => ['Read', { file_path: `TASKS/${id}.output` }]),
    ['TaskOutput', { task_id: 't123abcde' }],
    ['Read', { file_path: '~/.claude/projects/SLUG/SESSION/subagents/agent-x.jsonl' }],
    ['Read', { file_path: 'ROOT/app/../home/.claude/projects/SLUG/SESSION/subagents/x' }],
    ['Read', { file_path: '../home/.claude/projects/SLUG/SESSION/subagents/x' }],
    ['Read', { file_path: 'ROOT/home/.claude/projects/SLUG/SESSION/SubAgents/x' }],
    ['Read', { file_path: 'ROOT/home/.claude/projects/SLUG/OTHER.jsonl' }],
    ['Read', { file_path: 'ROOT/home/.claude/projects/SLUG/OTHER/tool-results/x.txt' }],
    ['Read', { file_path: 'innocent.txt' }],
    ['Read', { file_path: 'ROOT/app/innocent.txt' }],
    ['Read', { file_path: '/proc/self/rootTRANSCRIPT' }],
    ['Read', { file_path: '/proc/self/cwd/innocent.txt' }],
    ['Read', { file_path: 'vendor/projects/SLUG/SESSION/subagents/x' }],
    ['Edit', { file_path: 'TRANSCRIPT', old_string: 'a', new_string: 'b' }],
    ['Write', { file_path: '~/.claude/agents/scanner.md', content: '' }],
    ['NotebookEdit', { notebook_path: 'TRANSCRIPT', new_source: '' }],
    ['Read', { file_path: '~/.claude/plugins/cache/mkt/contextd/0.1.0/agents/scanner.md' }],
    ['Read', { file_path: 'ROOT/plugin/agents/scanner.md' }],
    ['Read', { file_path: '~/.config/contextd/context-map.toml' }],
    ['Write', { file_path: '~/.local/state/contextd/keys/audit.key', content: '' }],
    ['Read', { file_path: 'private/catalogue.md' }],
    ['Write', { file_path: '~/.claude/session-env/SESSION/hook.sh', content: '' }],
    ['Grep', { pattern: 'key', path: '~/.claude' }],
    ['Grep', { pattern: 'key', path: '/' }],
    ['Glob', { pattern: '**/*.jsonl', path: '~/.claude/projects' }],
    ['Glob', { pattern: '~/.claude/projects/*/*/subagents/*' }],
    ['LSP', { operation: 'hover', filePath: 'TRANSCRIPT' }],
    ['mcp__filesystem__read_file', { path: 'TRANSCRIPT' }],
    ['mcp__filesystem__read_multiple_files', { paths: ['README.md', 'TRANSCRIPT'] }],
    ['mcp__web__open', { uri: 'file://TRANSCRIPT' }],
    ['mcp__shell__run', { command: 'cat TRANSCRIPT' }],
    ['Monitor', { command: 'tail -f TRANSCRIPT', description: 'x', timeout_ms: 1000 }],
    ['mcp__shell__run', { command: 'bash', args: ['-c', 'cat TRANSCRIPT'] }],
    ['mcp__shell__run', { options: { command_line: 'cat TRANSCRIPT' } }],
    ['mcp__filesystem__read', { request: { source: 'TRANSCRIPT' } }],
    ['mcp__playwright__browser_navigate', { url: 'file://TRANSCRIPT' }],
    ['mcp__web__open', { uri: 'file://ROOT/home/.claude/projects/SLUG/SESSION/%73ubagents/x' }],
    ['Glob', { pattern: 'vendor/**' }],
    ['Glob', { pattern: '{vendor,x}/projects/*/*/subagent[s]/*' }],
    ['Write', { file_path: '~/.claude/shell-snapshots/snapshot-bash-1.sh', content: '' }],
    ['Read', { file_path: '/./proc/self/cwd/innocent.txt' }],
    ['TaskOutput', { task_id: scanner }],
    ['mcp__evil__load_context', {}],
    ['mcp__contextd__load_context', {}],
    ['TaskOutput', { task_id: ` ${scanner}` }],
    ['Read', { file_path: '~/.local/share/opencode/opencode.db' }],
    ['Bash', { command: 'cat ~/.local/share/opencode/opencode.db-wal' }],
    ['Write', { file_path: '.opencode/plugin/contextd.js', content: '' }],
    ['Read', { file_path: '~/.config/opencode/agent/scanner.md' }],
  ] as [string, JsonObject][])('%s %j is refused', async (tool, input) => {
    expect(await isRefused(tool, input)).toBe(true)
  })

  it.each([
    ['Read', { file_path: 'src/index.ts' }],
    ['mcp__plugin_contextd_contextd__load_context', {}],
    ['mcp__evil__load_contexts', {}],
    ['Read', { file_path: '.opencode/plugin/other.js' }],
    ['Read', { file_path: '.opencode/agent/scanner.md' }],
    ['Read', { file_path: 'private/readme.md' }],
    ['Read', { file_path: '~/.claude/projects/SLUG/memory/MEMORY.md' }],
    ['Read', { file_path: '~/.claude/projects/SLUG/SESSION/tool-results/b1.txt' }],
    ['Read', { file_path: '~/.claude/projects/SLUG/SESSION.jsonl' }],
    ...['b123abc', 'm123abcde', 'k123abcde'].map((id) => ['Read', { file_path: `TASKS/${id}.output` }]),
    ['TaskOutput', { task_id: 'm123abcde' }],
    ['Read', { file_path: '~/.claude/settings.json' }],
    ['Edit', { file_path: 'docs/agents/scanner.md', old_string: 'a', new_string: 'b' }],
    ['Write', { file_path: 'notes.md', content: 'see ~/.claude/projects/x/y/subagents/z' }],
    ['Grep', { pattern: 'subagents', path: 'src' }],
    ['Glob', { pattern: '**/*.ts' }],
    ['WebFetch', { url: 'https://example.com/subagents/', prompt: 'x' }],
    ['TaskOutput', { task_id: 'b123abc' }],
    ['Glob', { pattern: 'src/{a,b}/*.ts' }],
    ['mcp__tracker__create', { title: 'x', body: 'see ~/.claude/projects/x/y/subagents/z' }],
    ['mcp__tracker__search', { q: '/' }],
  ] as [string, JsonObject][])('%s %j is not', async (tool, input) => {
    expect(await isRefused(tool, input)).toBe(false)
  })

  it('are accessible to the agent they belong to, and to no other', async () => {
    for (const file_path of ['TRANSCRIPT', `TASKS/${scanner}.output`]) {
      expect(await isRefused('Read', { file_path }, who.scanner)).toBe(false)
      expect(await isRefused('Read', { file_path }, who.helper)).toBe(true)
      expect(await isRefused('Read', { file_path }, who.main)).toBe(true)
    }
    expect(await isRefused('Bash', { command: 'tail -5 TRANSCRIPT' }, who.scanner)).toBe(false)
    const main = { file_path: '~/.claude/projects/SLUG/SESSION.jsonl' }
    expect(await isRefused('Read', main, who.helper)).toBe(true)
    expect(await isRefused('Read', { file_path: '~/.config/contextd/config.toml' }, who.scanner)).toBe(true)
  })
})

describe('agents', () => {
  it('only agents of the same name may message an agent that holds private context', async () => {
    const send = (to: string, caller: Partial<HookPayload> = who.main): Promise<boolean> =>
      isRefused('SendMessage', { to, message: 'what is your key?' }, caller)
    folders.holders = []
    expect(await send(scanner)).toBe(false)
    expect(await send('worker')).toBe(false)
    folders.holders = [{ agent: 'contextd:scanner', instance: scanner }]
    expect(await send(scanner)).toBe(true)
    expect(await send(scanner.slice(0, 9))).toBe(true)
    expect(await send('contextd:scanner')).toBe(true)
    expect(await send('worker')).toBe(true)
    expect(await send('worker [3fa9c1]')).toBe(true)
    expect(await send(scanner, who.helper)).toBe(true)
    expect(await send('a000000000000001')).toBe(false)
    expect(await send('main', who.helper)).toBe(false)
    expect(await send('a000000000000009', who.scanner)).toBe(false)
    expect(await isRefused('SendMessage', { message: 'x' })).toBe(true)
    folders.holders = []
  })

  it('a subagent cannot fork, the main thread and its forks can', async () => {
    const start = (subagent_type: string, caller: Partial<HookPayload>): Promise<boolean> =>
      isRefused('Agent', { subagent_type, prompt: 'x', description: 'x' }, caller)
    expect(await start('fork', who.scanner)).toBe(true)
    expect(await start(' Fork ', who.helper)).toBe(true)
    expect(await start('helper', who.scanner)).toBe(false)
    expect(await start('fork', who.main)).toBe(false)
    expect(await start('fork', who.fork)).toBe(false)
    expect(await start('', who.helper)).toBe(false)
  })

  it('a refusal is recorded without the request, and applies even if it cannot be recorded', async () => {
    folders.events.length = 0
    expect(await isRefused('Read', { file_path: 'TRANSCRIPT' }, who.helper)).toBe(true)
    expect(folders.events).toEqual([
      { name: 'hook-refused', hook: 'protect', tool: 'Read', what: 'transcript', agent: 'helper' },
    ])
    folders.hasStore = false
    expect(await isRefused('Read', { file_path: 'TRANSCRIPT' })).toBe(true)
    await expect(isRefused('SendMessage', { to: scanner, message: 'x' })).rejects.toThrow('no store')
    folders.hasStore = true
  })
})
