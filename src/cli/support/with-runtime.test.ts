import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome } from '../../../test/support/temp-home.ts'
import { withRecords, withRuntime } from './with-runtime.ts'

test('notes once that a command runs locally if another machine is configured', async () => {
  const home = makeTempHome()
  try {
    const far = fakeIo({ env: { ...home.env, CONTEXTD_ADDR: 'build.example:7392' }, cwd: home.project })
    await withRecords(far.io, () => {})
    await withRecords(far.io, () => {})
    expect(far.err()).toBe('note: this command applies to this machine, not to build.example:7392\n')
    const near = fakeIo({ env: home.env, cwd: home.project })
    await withRecords(near.io, () => {})
    expect(near.err()).toBe('')
  } finally {
    home.remove()
  }
})

test('prints a warning about a project file once per version of it, other warnings with every command', async () => {
  const home = makeTempHome()
  try {
    const file = join(home.project, '.mcp.json')
    const { io, err } = fakeIo({ env: home.env, cwd: home.project })
    await withRuntime(io, () => {})
    expect(err()).toBe('')
    writeFileSync(file, JSON.stringify({ mcpServers: { notes: { command: 'notes' } } }))
    await withRuntime(io, () => {})
    await withRuntime(io, () => {})
    const warning = `note: servers of the project are not trusted and have no effect: ${file}\n`
    expect(err()).toBe(warning)
    const next = async (): Promise<string> => {
      const later = fakeIo({ env: home.env, cwd: home.project })
      await withRuntime(later.io, () => {})
      return later.err()
    }
    expect(await next()).toBe('')
    writeFileSync(file, JSON.stringify({ mcpServers: { notes: { command: 'other' } } }))
    expect(await next()).toBe(warning)
    expect(await next()).toBe('')
    home.write('state/noted-files.json', 'not JSON')
    expect(await next()).toBe(warning)
    home.write('config/config.toml', '[sandbox]\nmode = "off"\n')
    expect(await next()).toContain('THE SANDBOX IS OFF')
    expect(await next()).toContain('THE SANDBOX IS OFF')
  } finally {
    home.remove()
  }
})
