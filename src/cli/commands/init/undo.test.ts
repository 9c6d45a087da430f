import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeInitHome, type InitHome } from '../../../../test/support/init-home.ts'

let home: InitHome
beforeEach(() => {
  home = makeInitHome()
})
afterEach(() => home.remove())

const claude = ['--platform', 'claude-code']
const forget = (): void => rmSync(join(home.path, 'state', 'init'), { recursive: true })

describe('init and undo', () => {
  const kinds: readonly [string, Record<string, string>][] = [
    ['nothing', {}],
    [
      'other servers, hooks and rules',
      {
        '.mcp.json': '{\r\n\t"mcpServers": { "a": { "command": "x" } },\r\n\t"mine": 1.50\r\n}',
        '.claude/settings.local.json':
          '{\n    "hooks": {"PreToolUse": [ ]},\n    "permissions": {"deny": ["Read(//**/subagents/**)"]}\n}\n\n',
        'AGENTS.md': '# Mine\r\n\r\nText without an end',
        'CLAUDE.md': '',
      },
    ],
    [
      'what an older version wrote',
      {
        '.mcp.json': '{"mcpServers":{"contextd":{"type":"http","url":"http://127.0.0.1:7391/mcp"}}}',
        'AGENTS.md': 'a\n<!-- contextd: begin -->\nold\n<!-- contextd: end -->\nb\n',
        '.claude/skills/contextd/SKILL.md': 'my own\n',
        '.claude/settings.local.json': '',
      },
    ],
  ]

  it.each(kinds)('is idempotent, and --undo restores the original state: %s', async (_, files) => {
    for (const [name, content] of Object.entries(files)) home.put(name, content)
    const before = home.files()
    await home.init(claude)
    const once = home.files()
    expect(once).not.toEqual(before)
    const second = await home.init(claude)
    expect([second.out(), second.code()]).toEqual(['Nothing to do.\n', 0])
    expect(home.files()).toEqual(once)
    const undone = await home.init(['--undo'], { answer: 'y' })
    expect(undone.out()).toContain('Undone: ')
    expect(home.files()).toEqual(before)
  })

  it('restores every settings file, byte for byte', async () => {
    const rules = fc.uniqueArray(fc.constantFrom('Bash', 'mcp__contextd', 'Read(//**/subagents/**)', 'Read'))
    const shapes = fc.record(
      {
        permissions: fc.record({ allow: rules, deny: rules }, { requiredKeys: [] }),
        hooks: fc.constantFrom({}, { Stop: [] }, { PreToolUse: [{ matcher: 'x', hooks: [] }] }),
        other: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    )
    const ends = fc.constantFrom('', '\n', '\r\n')
    await fc.assert(
      fc.asyncProperty(shapes, fc.constantFrom(0, 2, '\t'), ends, async (shape, indent, end) => {
        const content = JSON.stringify(shape, null, indent) + end
        home.put('.claude/settings.local.json', content)
        await home.init(claude)
        await home.init([...claude, '--mode', 'strict'])
        expect(home.text('.claude/settings.local.json')).not.toBe(content)
        await home.init(['--undo'], { answer: 'y' })
        expect(home.text('.claude/settings.local.json')).toBe(content)
        rmSync(join(home.path, 'config'), { recursive: true })
      }),
      { numRuns: 15 },
    )
  })

  it('removes only its own part if a file was changed since', async () => {
    home.put('.claude/settings.local.json', '{\n  "permissions": { "allow": ["mcp__contextd"] }\n}\n')
    await home.init(claude)
    const settings = home.json('.claude/settings.local.json') as {
      permissions: { allow: string[] }
      model?: string
    }
    settings.permissions.allow.push('Bash(make:*)')
    settings.model = 'new'
    home.put('.claude/settings.local.json', JSON.stringify(settings, null, 2))
    await home.init(['--undo'], { answer: 'y' })
    expect(home.json('.claude/settings.local.json')).toEqual({
      permissions: { allow: ['mcp__contextd', 'Bash(make:*)'] },
      model: 'new',
    })
    expect(existsSync(home.at('.claude/rules'))).toBe(false)
  })

  it('undoes nothing if one of its own files was changed since', async () => {
    await home.init(claude)
    home.put('.claude/skills/contextd/SKILL.md', 'mine now')
    const before = home.files()
    const { err, code } = await home.init(['--undo'], { answer: 'y' })
    expect(err()).toMatch(/^USAGE: .*SKILL\.md has changed since contextd wrote it\nNothing was written/)
    expect([code(), home.files()]).toEqual([2, before])
  })

  it('recognizes its own part without a journal, as in a fresh clone', async () => {
    home.put('.mcp.json', '{ "mcpServers": { "a": { "command": "x" } } }')
    await home.init(claude)
    forget()
    expect((await home.init(claude)).out()).toBe('Nothing to do.\n')
    await home.init(['--undo'], { answer: 'y' })
    const left = home.files()
    expect(left).toEqual({ '.mcp.json': '{ "mcpServers": { "a": { "command": "x" } } }' })
    // Entries that anyone could have written are kept.
    home.put('.claude/settings.local.json', '{ "permissions": { "deny": ["Read(//**/subagents/**)"] } }')
    expect((await home.init(['--undo'], { answer: 'y' })).out()).toBe('Nothing to do.\n')
  })

  it('can undo changes to files of maximum size', async () => {
    home.put('AGENTS.md', 'A line of a long text.\n'.repeat(40_000))
    const before = home.files()
    await home.init(claude)
    expect((await home.init(claude)).out()).toBe('Nothing to do.\n')
    await home.init(['--undo'], { answer: 'y' })
    expect(home.files()).toEqual(before)
  })

  it('removes strict mode without a journal, and no other rules', async () => {
    home.put('.claude/settings.local.json', '{"permissions":{"deny":["WebFetch"]}}')
    await home.init([...claude, '--mode', 'strict'])
    forget()
    await home.init(['--undo'], { answer: 'y' })
    expect(JSON.parse(home.files()['.claude/settings.local.json'] ?? '')).toEqual({
      permissions: { deny: ['WebFetch'] },
    })
  })

  it('requires confirmation', async () => {
    await home.init(claude)
    const before = home.files()
    expect((await home.init(['--undo'])).err()).toMatch(/^OPERATOR_REQUIRED/)
    expect((await home.init(['--undo'], { answer: 'y', env: { AI_AGENT: 'x' } })).err()).toMatch(
      /^OPERATOR_REQUIRED/,
    )
    expect(home.files()).toEqual(before)
  })
})
