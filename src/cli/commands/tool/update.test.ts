import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { jsonOf, toolCommandHere, type ToolCommand } from '../../../../test/support/tool-command.ts'
import { packageFiles, writePackage } from '../../../../test/support/tool-packages.ts'

let here: ToolCommand
beforeEach(() => {
  here = toolCommandHere()
})

describe('ctxd tool update', () => {
  beforeEach(async () => {
    here.offer({ script: 'echo one', required: ['fs:read:src/**'], files: { 'old.txt': 'a\nb\n' } })
    await here.yes('install', '../elsewhere')
  })

  it('reports that nothing changed, without asking', async () => {
    const { out, asked } = await here.run(['update'])
    expect([out(), asked()]).toEqual([expect.stringMatching(/^Unchanged: probe/), ''])
    expect((await here.run(['update', '--check'])).out()).toMatch(
      /^TOOL +INSTALLED +LATEST\nprobe +sha256:\w+ +current\n$/,
    )
  })

  it('shows differences in files and permissions, and replaces the tool after confirmation', async () => {
    here.offer({
      script: 'echo two\necho three',
      required: ['http:fetch:api.example.com'],
      optional: ['memory:read'],
      files: { 'new.txt': 'c\n' },
    })
    const check = jsonOf(await here.run(['update', '--check', '--json']))
    expect(check).toMatchObject({ tools: [{ name: 'probe', is_current: false }] })
    const { asked, out } = await here.yes('update', 'probe')
    expect(asked().split('\n')).toEqual([
      'probe, changes',
      '  from ../elsewhere',
      expect.stringMatching(/^ {2}revision sha256:/),
      expect.stringMatching(/^ {8}to sha256:/),
      '  NEW: may reach api.example.com on ports 80 and 443',
      expect.stringMatching(/^ {2}NEW: may ask you later to search/),
      '  no longer: may read files below src/',
      '  capabilities.toml changed (+2 -2)',
      '  new.txt added (+1)',
      '  old.txt removed (-2)',
      '  run.sh changed (+2 -1)',
      '  "Does something."',
      '  may reach api.example.com on ports 80 and 443',
      expect.stringMatching(/^ {2}may run for/),
      expect.stringMatching(/^ {2}may ask you later/),
      'Replace probe and let agents call the new version? [y/N] ',
    ])
    expect(out()).toMatch(/^Updated: probe/)
    expect([await here.state(), here.installedFile('run.sh'), here.events().at(-1)]).toEqual([
      'approved',
      '#!/bin/bash\necho two\necho three\n',
      'tool-updated',
    ])
    // Removed files are no longer trusted.
    expect(here.records(({ trust }) => trust.list().map(({ path }) => path.split('/').at(-1)))).not.toContain(
      'old.txt',
    )
  })

  it('keeps the old version if the user refuses, or the new one is invalid', async () => {
    here.offer({ script: 'echo two' })
    expect((await here.run(['update', 'probe'], { answer: 'n' })).code()).toBe(22)
    here.offer({ files: { 'TOOL.md': '' } })
    expect((await here.yes('update', 'probe')).code()).toBe(24)
    rmSync(join(here.home, 'elsewhere'), { recursive: true })
    expect((await here.yes('update', 'probe')).code()).toBe(11)
    expect([await here.state(), here.installedFile('run.sh')]).toEqual([
      'approved',
      '#!/bin/bash\necho one\n',
    ])
    expect(readdirSync(join(here.project, '.contextd')).sort()).toEqual(['tools', 'tools.lock.json'])
  })

  it('warns that local changes will be lost', async () => {
    const file = join(here.project, '.contextd/tools/probe/run.sh')
    writeFileSync(file, '#!/bin/bash\necho mine\n')
    chmodSync(file, 0o755)
    const { asked } = await here.yes('update', 'probe')
    expect(asked()).toContain('modified since installation; those changes will be lost')
    expect(await here.state()).toBe('approved')
  })

  it('updates the other tools if one fails', async () => {
    const second = join(here.home, 'second')
    writePackage(second, packageFiles({ name: 'second', script: 'echo one' }))
    await here.yes('install', '../second')
    rmSync(join(here.home, 'elsewhere'), { recursive: true })
    writePackage(second, packageFiles({ name: 'second', script: 'echo two' }))
    const { out, err, code } = await here.yes('update')
    expect([out(), err(), code()]).toEqual([
      expect.stringMatching(/^Updated: second/),
      expect.stringMatching(/^SOURCE_UNAVAILABLE: /),
      11,
    ])
  })

  it('asks before using a lock file that came with the project', async () => {
    here.offer({ script: 'echo two' })
    writeFileSync(here.lockFile, readFileSync(here.lockFile, 'utf8').replace('../elsewhere', '../elsewhere/'))
    const refused = await here.run(['update', '--check'], { answer: 'n' })
    expect(refused.asked()).toContain(
      'was not written on this machine:\n  probe from ../elsewhere/\nFetch from these sources? [y/N] ',
    )
    expect(refused.code()).toBe(22)
    expect((await here.yes('update', '--check')).out()).toContain('sha256:')
  })

  it('updates only installed tools', async () => {
    here.add({ name: 'mine' })
    expect((await here.yes('update', 'mine')).err()).toMatch(/^NOT_FOUND: There is no tool mine among those/)
  })

  it('can be installed again from another source', async () => {
    const second = join(here.home, 'second')
    writePackage(second, packageFiles({ script: 'echo other' }))
    const { asked, out } = await here.yes('install', '../second')
    expect(asked()).toContain('  from ../elsewhere\n  NEW: from ../second\n')
    expect([out(), here.lock().tools.probe?.source]).toEqual([expect.stringMatching(/^Updated/), '../second'])
  })
})

describe('ctxd tool remove', () => {
  it('removes everything that was installed', async () => {
    here.offer({})
    await here.yes('install', '../elsewhere')
    const refused = await here.run(['remove', 'probe'], { answer: 'n' })
    expect([refused.code(), await here.state()]).toEqual([22, 'approved'])
    expect((await here.run(['remove', 'probe'], { answer: 'y', env: { CLAUDECODE: '1' } })).code()).toBe(22)
    const { asked, out } = await here.yes('remove', 'probe')
    expect(asked()).toContain('  from ../elsewhere\n')
    expect([out(), readdirSync(here.project)]).toEqual(['Removed: probe\n', []])
    expect(here.records(({ trust }) => trust.list())).toEqual([])
    expect((await here.run(['show', 'probe'])).code()).toBe(12)
    expect(here.events().slice(-1)).toEqual(['tool-removed'])
  })

  it('keeps the other tools', async () => {
    here.offer({})
    await here.yes('install', '../elsewhere')
    await here.yes('install', '../elsewhere', '--name', 'second')
    here.add({ name: 'mine' })
    await here.yes('remove', 'probe')
    expect(readdirSync(join(here.project, '.contextd/tools')).sort()).toEqual(['mine', 'second'])
    expect([await here.state('second'), Object.keys(here.lock().tools)]).toEqual(['approved', ['second']])
  })

  it('works if the files are already gone', async () => {
    here.offer({})
    await here.yes('install', '../elsewhere')
    rmSync(join(here.project, '.contextd/tools'), { recursive: true })
    expect((await here.yes('remove', 'probe')).out()).toBe('Removed: probe\n')
    expect(readdirSync(here.project)).toEqual([])
  })
})
