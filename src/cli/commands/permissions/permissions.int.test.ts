import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { runCli } from '@contextd/shared/cli/output'
import { permissionsCommand } from './permissions.ts'

let home: TempHome
beforeEach(() => {
  home = makeTempHome()
})
afterEach(() => home.remove())

test('does not wait for a pipe in place of a file, and reports it', async () => {
  const places = ['.claude/settings.json', '.claude/agents/a.md', '.mcp.json', 'opencode.json', 'CLAUDE.md']
  for (const folder of ['.claude/agents', '.opencode/agent'])
    mkdirSync(join(home.project, folder), { recursive: true })
  for (const place of [...places, '.opencode/agent/a.md']) execFileSync('mkfifo', [join(home.project, place)])
  home.env.HOME = home.path
  const { err, out } = await home.run(permissionsCommand, 'lint', '--json')
  expect(err()).toBe('')
  const { findings } = JSON.parse(out()) as { findings: { file: string }[] }
  const said = findings.map(({ file }) => file.slice(home.project.length + 1))
  expect(said).toEqual(expect.arrayContaining(['.claude/settings.json', '.mcp.json', 'opencode.json']))
  await home.run(permissionsCommand, 'explain', 'Bash')
})

describe('--connect', () => {
  const server = fileURLToPath(
    new URL('../../../../test/support/upstream-fixtures/any-tools.mjs', import.meta.url),
  )
  const long = 'a_tool_whose_name_leaves_no_room_for_what_the_client_puts_before_it'
  const started = (): string => join(home.path, 'started')

  async function lint(
    argv: readonly string[],
    answer: string | undefined,
    env = {},
    more = {},
  ): Promise<FakeIo> {
    const script = `touch ${started()}; exec ${process.execPath} ${server} ${join(home.path, 'calls')} ${long} ok`
    home.write('project/.mcp.json', {
      mcpServers: {
        probe: { command: '/bin/sh', args: ['-c', script] },
        broken: { command: '/bin/false' },
        ...more,
      },
    })
    const own = { ...home.env, HOME: home.path, PATH: process.env.PATH, ...env }
    const fake = fakeIo({ env: own, cwd: home.project, answer })
    await runCli(permissionsCommand(fake.io), fake.io, ['lint', ...argv])
    return fake
  }

  test('finds names that only the server knows, after confirming what is started', async () => {
    const { out, err, asked } = await lint(['--connect'], 'y')
    expect(asked()).toContain('  broken: /bin/false\n')
    expect(asked()).toContain('Start 2 MCP servers and query their tools? [y/N]')
    expect(err()).toMatch(/^note: broken could not be queried for its tools: /)
    expect(out()).toContain(`mcp__probe__${long}`)
    expect(existsSync(started())).toBe(true)
  })

  test('makes no claims about the tools of a server with too many to list', async () => {
    home.write('project/.claude/settings.json', {
      permissions: { deny: ['mcp__many__last', 'mcp__few__last'] },
    })
    const names = (count: number): string => `$(seq ${count})`
    const run = (count: number): { command: string; args: string[] } => ({
      command: '/bin/sh',
      args: ['-c', `exec ${process.execPath} ${server} ${join(home.path, 'calls')} ${names(count)} last`],
    })
    const { out, err } = await lint(['--connect'], 'y', {}, { many: run(5000), few: run(10) })
    expect(err()).toContain('many could not be queried for its tools: it has more tools than contextd lists')
    expect(out()).not.toContain('mcp-rule-unknown')
    home.write('project/.claude/settings.json', {
      permissions: { deny: ['mcp__many__gone', 'mcp__few__gone'] },
    })
    const { out: gone } = await lint(['--connect'], 'y', {}, { many: run(4998), few: run(10) })
    expect(gone()).toContain('`mcp__many__gone` matches nothing')
    expect(gone()).toContain('`mcp__few__gone` matches nothing')
  })

  test('distinguishes servers of the same name that agents define for themselves', async () => {
    const agent = (name: string, tool: string): string =>
      `---\nname: ${name}\ndescription: d\ntools: mcp__own__${tool}\nmcpServers:\n  - own:\n      command: ${process.execPath}\n      args: [${server}, ${join(home.path, 'calls')}, ${tool}]\n---\n`
    home.write('project/.claude/agents/one.md', agent('one', 'first'))
    home.write('project/.claude/agents/two.md', agent('two', 'second'))
    home.write('.claude.json', { projects: { [home.project]: { hasTrustDialogAccepted: true } } })
    const { out, asked } = await lint(['--connect'], 'y')
    expect(asked()).toContain('Start 4 MCP servers')
    expect(out()).not.toContain('has no such tool')
    home.write('project/.claude/agents/two.md', agent('two', 'second').replace('own__second', 'own__first'))
    expect((await lint(['--connect'], 'y')).out()).toContain('has no such tool')
  })

  test('runs and sends only what the user confirmed', async () => {
    const url = 'https://docs.example.com/mcp'
    const { asked } = await lint(
      ['--connect'],
      'n',
      {},
      {
        two: { command: '/bin/sh', args: ['-c', 'run this'], url },
        odd: { command: 'node', args: ['a b'], env: { NODE_OPTIONS: '--import=./x.mjs' } },
        sent: { type: 'http', url, headers: { 'X-Own': '${OWN_KEY}' } },
      },
    )
    expect(asked()).toContain("  two: /bin/sh -c 'run this'\n")
    expect(asked()).toContain("  odd: NODE_OPTIONS=--import=./x.mjs node 'a b'\n")
    expect(asked()).toContain(`  sent: ${url}; X-Own: \${OWN_KEY}\n`)
  })

  test('starts nothing unless requested and confirmed on a terminal, and never for agents', async () => {
    expect((await lint([], 'y')).out()).not.toContain(long)
    expect((await lint(['--connect'], 'n')).err()).toContain('APPROVAL_REQUIRED')
    expect((await lint(['--connect'], undefined)).err()).toContain('OPERATOR_REQUIRED')
    expect((await lint(['--connect'], 'y', { CLAUDECODE: '1' })).err()).toContain('OPERATOR_REQUIRED')
    expect(existsSync(started())).toBe(false)
  })
})
