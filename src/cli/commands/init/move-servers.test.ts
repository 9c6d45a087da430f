import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeInitHome, type InitHome } from '../../../../test/support/init-home.ts'

let home: InitHome
beforeEach(() => {
  home = makeInitHome()
})
afterEach(() => home.remove())

const claude = ['--platform', 'claude-code']
describe('--move-servers', () => {
  it("moves servers from the client's file to ours, and back", async () => {
    home.put(
      '.mcp.json',
      '{\n  "mcpServers": {\n    "notes": { "command": "notes", "args": ["-x"] }\n  }\n}\n',
    )
    const before = home.files()
    const moved = await home.init([...claude, '--move-servers', '--mode', 'friendly'], { answer: 'y' })
    expect(moved.code()).toBe(0)
    expect(moved.err()).toContain('no agent can use it yet')
    expect(moved.err()).not.toContain('not trusted')
    expect(home.json('.contextd/servers.json')).toEqual({
      mcpServers: { notes: { command: 'notes', args: ['-x'] } },
    })
    expect(home.json('.mcp.json')).toEqual({ mcpServers: {} })
    expect((await home.init(claude)).out()).toBe('Nothing to do.\n')
    await home.init(['--undo'], { answer: 'y' })
    expect(home.files()).toEqual(before)
  })

  it('requires confirmation', async () => {
    home.put('.mcp.json', '{ "mcpServers": { "notes": { "command": "notes" } } }')
    const before = home.files()
    const { err } = await home.init([...claude, '--move-servers'])
    expect(err()).toMatch(/OPERATOR_REQUIRED/)
    expect(home.files()).toEqual(before)
  })
})
