import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { clientFolders, type ClientFolders } from '../../../../test/support/client-folders.ts'
import type { JsonObject } from '@contextd/shared/json/value'

let folders: ClientFolders
beforeAll(() => {
  folders = clientFolders()
  const project = join(folders.home, '../app')
  for (const folder of ['.vscode', '.github', '.config', '.cargo']) mkdirSync(join(project, folder))
  symlinkSync('.vscode', join(project, 'settings'))
})
afterAll(() => folders.remove())

async function reasonFor(tool: string, input: JsonObject, cwd?: string): Promise<string | undefined> {
  const output = await folders.ask(tool, input, {}, cwd)
  return (output?.hookSpecificOutput as JsonObject | undefined)?.permissionDecisionReason as
    | string
    | undefined
}

test.each<[string, JsonObject]>([
  ['Write', { file_path: '.vscode/tasks.json', content: '' }],
  ['Write', { file_path: 'ROOT/app/packages/one/.envrc', content: '' }],
  ['Edit', { file_path: '.git/hooks/pre-commit', old_string: 'a', new_string: 'b' }],
  ['MultiEdit', { file_path: '.Husky/pre-commit', edits: [] }],
  ['NotebookEdit', { notebook_path: '.jupyter/../.config/nvim/a.ipynb', new_source: '' }],
  ['Write', { file_path: '~/.bash_aliases', content: '' }],
  ['Write', { file_path: '~/.local/bin/ls', content: '' }],
  ['Write', { file_path: 'settings/tasks.json', content: '' }],
  ['Write', { file_path: '.claude/worktrees/x/.mcp.json', content: '' }],
  ['mcp__filesystem__write_file', { path: '.codex/config.toml', content: '' }],
  ['mcp__filesystem__move_file', { source: './a', destination: '.gemini/settings.json' }],
  ['mcp__editor__create', { where: './.kiro/hooks/x' }],
  ['Bash', { command: 'echo "use flake" >> .envrc' }],
  ['Bash', { command: 'cd .vscode; cp ../x tasks.json' }],
  ['Bash', { command: 'for d in a b; do echo x > $d/.envrc; done' }],
  ['Bash', { command: 'cp -r hooks .github/' }],
  ['Bash', { command: 'mv nvim .config/' }],
  ['Bash', { command: 'cp config.toml .cargo/' }],
  ['Bash', { command: 'echo x > packages/.cargo' }],
  ['Bash', { command: 'mv x packages/.cargo' }],
  ['Bash', { command: 'rm -r .config && mv x .config' }],
  ['mcp__shell__run', { command: 'tee lefthook.yml' }],
])('%s %j is refused, with the reason and the next step', async (tool, input) => {
  const reason = await reasonFor(tool, input)
  expect(reason).toMatch(
    /^contextd: Agents may not write \S+: .+ctxd config set client\.allow_protected \S+`/,
  )
})

test.each<[string, JsonObject]>([
  ['Read', { file_path: '.vscode/tasks.json' }],
  ['Write', { file_path: 'src/a.ts', content: 'see .vscode/tasks.json' }],
  ['Write', { file_path: 'package.json', content: '' }],
  ['Write', { file_path: 'CLAUDE.md', content: '' }],
  ['Write', { file_path: '.local/bin/ls', content: '' }],
  ['Write', { file_path: '~/.claude/plans/plan.md', content: '' }],
  ['Write', { file_path: '~/.claude/projects/SLUG/memory/MEMORY.md', content: '' }],
  ['Write', { file_path: '.claude/worktrees/x/src/a.ts', content: '' }],
  ['mcp__filesystem__read_file', { path: '.codex/config.toml' }],
  ['mcp__tracker__create', { title: 'x', body: 'write .vscode/tasks.json' }],
  ['Bash', { command: 'cat .envrc; ls -la .husky; grep -r x .vscode > found.txt' }],
  ['Bash', { command: 'cp a.yml .github/' }],
  ['Bash', { command: 'mv x .config/; cp x .cargo/' }],
  ['Bash', { command: 'git add .vscode && git commit -m ".vscode > .idea"' }],
])('%s %j is allowed', async (tool, input) => expect(await reasonFor(tool, input)).toBeUndefined())

test('allows exactly what the user permits', async () => {
  folders.allowProtected = ['.idea', '.claude/commands']
  expect(await reasonFor('Write', { file_path: 'pkg/.idea/x.xml', content: '' })).toBeUndefined()
  expect(await reasonFor('Write', { file_path: '.claude/commands/x.md', content: '' })).toBeUndefined()
  expect(await reasonFor('Bash', { command: 'echo > .claude/commands/x.md' })).toBeUndefined()
  expect(await reasonFor('Write', { file_path: '.claude/settings.json', content: '' })).toContain(
    'allow_protected .idea,.claude/commands,.claude`',
  )
  folders.allowProtected = []
  expect(await reasonFor('Write', { file_path: 'pkg/.idea/x.xml', content: '' })).toContain(
    '.idea: JetBrains',
  )
})

test("permitted names are relative to the project, regardless of the shell's folder", async () => {
  const inside = join(folders.home, '../app/.vscode')
  expect(await reasonFor('Write', { file_path: 'tasks.json', content: '' }, inside)).toContain('.vscode')
})

test('records a refusal', async () => {
  folders.events.length = 0
  await reasonFor('Write', { file_path: '.mcp.json', content: '' })
  expect(folders.events).toEqual([
    { name: 'hook-refused', hook: 'protect', tool: 'Write', what: 'protected-place', agent: 'main' },
  ])
})
