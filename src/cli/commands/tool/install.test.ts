import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { beforeEach, describe, expect, it } from 'vitest'

import { makeTar } from '@contextd/shared/testing/archives'
import { jsonOf, toolCommandHere, type ToolCommand } from '../../../../test/support/tool-command.ts'
import { packageFiles } from '../../../../test/support/tool-packages.ts'

let here: ToolCommand
beforeEach(() => {
  here = toolCommandHere()
})

describe('ctxd tool install', () => {
  it('shows source and permissions, and installs after confirmation', async () => {
    here.offer({ required: ['fs:read:src/**'], optional: ['memory:read'] })
    const { out, asked, code } = await here.yes('install', '../elsewhere')
    expect(asked().split('\n')).toEqual([
      `probe, to be installed in ${here.project}`,
      '  from ../elsewhere',
      expect.stringMatching(/^ {2}revision sha256:[0-9a-f]{64}$/),
      '  "Does something."',
      '  may read files below src/',
      expect.stringMatching(/^ {2}may run for at most/),
      expect.stringMatching(/^ {2}may ask you later to search/),
      expect.stringMatching(/^ {2}TOOL\.md {2}\(16 bytes/),
      expect.stringMatching(/^ {2}capabilities\.toml/),
      expect.stringMatching(/^ {2}runs run\.sh/),
      expect.stringMatching(/^ {2}schema\.json/),
      expect.stringMatching(/^ {2}4 files, \d+ bytes$/),
      'Install probe and let agents call it? [y/N] ',
    ])
    expect([out(), code()]).toEqual([
      expect.stringMatching(/^Installed: probe \(sha256:[0-9a-f]{12}\)\n$/),
      0,
    ])
    expect([await here.state(), here.events()]).toEqual(['approved', ['tool-approved', 'tool-installed']])
    expect(here.lock()).toEqual({
      version: 1,
      tools: {
        probe: {
          source: '../elsewhere',
          revision: expect.stringMatching(/^sha256:/) as string,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          installed_at: expect.stringMatching(/^\d{4}-/) as string,
        },
      },
    })
    expect(readdirSync(join(here.project, '.contextd')).sort()).toEqual(['tools', 'tools.lock.json'])
  })

  it('prints all of it as JSON', async () => {
    here.offer({})
    expect(jsonOf(await here.yes('install', '../elsewhere', '--json'))).toMatchObject({
      name: 'probe',
      state: 'approved',
      source: '../elsewhere',
      is_changed: true,
      differences: {
        files: expect.arrayContaining([
          { path: 'run.sh', kind: 'added', lines_added: 2, lines_removed: 0 },
        ]) as object,
      },
    })
    const list = await here.run(['list'])
    expect(list.out()).toMatch(
      /^TOOL +STATE +SOURCE +REVISION +DESCRIPTION OR PROBLEM\nprobe +approved +\.\.\/elsewhere +sha256:\w{12} +Does something\.\n$/,
    )
    expect(jsonOf(await here.run(['list', '--json']))).toMatchObject({
      tools: [
        { name: 'probe', source: '../elsewhere', revision: expect.stringMatching(/^sha256:/) as string },
      ],
    })
    expect((await here.run(['show', 'probe'])).out()).toContain('  from ../elsewhere\n')
  })

  it('installs under another name, which updates preserve', async () => {
    here.offer({ script: 'echo one' })
    expect((await here.yes('install', '../elsewhere', '--name', 'other')).code()).toBe(0)
    expect(await here.state('other')).toBe('approved')
    here.offer({ script: 'echo two' })
    expect((await here.yes('update', 'other')).out()).toMatch(/^Updated: other/)
    expect(
      (await here.run(['install', '../elsewhere', '--name', 'Bad Name'], { answer: 'y' })).err(),
    ).toMatch(/^USAGE: a name is/)
    expect(
      (await here.run(['install', '../elsewhere', '--name', 'safe_bash'], { answer: 'y' })).err(),
    ).toMatch(/built-in tool/)
  })

  it.each<[string, { answer?: string; env?: NodeJS.ProcessEnv }, string]>([
    ['the user refuses', { answer: 'n' }, 'APPROVAL_REQUIRED'],
    ['there is no terminal', {}, 'OPERATOR_REQUIRED'],
    ['an agent runs it', { answer: 'y', env: { CLAUDECODE: '1' } }, 'OPERATOR_REQUIRED'],
  ])('leaves nothing behind: %s', async (_, options, error) => {
    here.offer({})
    const { err, code } = await here.run(['install', '../elsewhere', '--json'], options)
    expect([JSON.parse(err()), code()]).toMatchObject([{ error: { code: error } }, 22])
    expect([readdirSync(here.project), here.events()]).toEqual([[], []])
  })

  it('does not replace a tool created here', async () => {
    here.add({ script: 'echo mine' })
    here.offer({})
    expect((await here.yes('install', '../elsewhere')).err()).toMatch(
      /^USAGE: there is a tool probe here that was not installed/,
    )
    expect(here.installedFile('run.sh')).toContain('echo mine')
  })

  it('refuses an invalid package, with all its problems', async () => {
    here.offer({ files: { 'TOOL.md': '', 'schema.json': '{' } })
    const { err, code } = await here.yes('install', '../elsewhere')
    expect(err()).toMatch(/TOOL\.md: is empty[^]*schema\.json:1:2/)
    expect([code(), readdirSync(here.project)]).toEqual([24, []])
    expect((await here.yes('install', './none')).err()).toMatch(/no such file or folder/)
  })

  it('refuses links, also in a folder', async () => {
    here.offer({})
    symlinkSync('/etc/passwd', join(join(here.home, 'elsewhere'), 'link'))
    expect((await here.yes('install', '../elsewhere')).err()).toMatch(/^ARCHIVE_REFUSED: .*link: is a link/)
  })

  it.each(['.contextd', '.contextd/tools'])('writes nothing if %s is a link', async (name) => {
    here.offer({})
    const outside = join(here.home, 'outside')
    mkdirSync(outside)
    if (name.includes('/')) mkdirSync(join(here.project, '.contextd'))
    symlinkSync(outside, join(here.project, name))
    expect((await here.yes('install', '../elsewhere')).err()).toMatch(/^FILE_UNSUITABLE: /)
    expect(readdirSync(outside)).toEqual([])
  })

  it('reports that .contextd is not a folder', async () => {
    here.offer({})
    writeFileSync(join(here.project, '.contextd'), 'mine')
    expect((await here.yes('install', '../elsewhere')).err()).toMatch(/^FILE_UNSUITABLE: /)
    expect(readFileSync(join(here.project, '.contextd'), 'utf8')).toBe('mine')
  })

  it.skipIf(process.getuid?.() === 0)(
    'says where it may not write (needs another user than root)',
    async () => {
      here.offer({})
      chmodSync(here.project, 0o555)
      const { err, code } = await here.yes('install', '../elsewhere')
      chmodSync(here.project, 0o755)
      expect([err(), code()]).toEqual([expect.stringMatching(/^STORE_UNAVAILABLE: .*access was denied/), 74])
    },
  )

  it('does nothing if another process was faster', async () => {
    here.offer({})
    const fake = await here.run(['install', '../elsewhere'], {
      answer: 'y',
      io: (io) => ({
        ...io,
        openTerminal() {
          // While the prompt is open.
          here.add({ script: 'echo mine' })
          return io.openTerminal?.()
        },
      }),
    })
    expect(fake.err()).toMatch(/^FILE_CHANGED: /)
    expect([here.installedFile('run.sh'), existsSync(here.lockFile)]).toEqual([
      '#!/bin/bash\necho mine\n',
      false,
    ])
    expect(readdirSync(join(here.project, '.contextd'))).toEqual(['tools'])
  })

  it('verifies the given hash of a folder or archive', async () => {
    here.offer({})
    const entries = Object.entries(packageFiles({})).map(([name, content]) => ({
      name,
      content,
      mode: 0o755,
    }))
    const archive = join(here.home, 'tool.tar.gz')
    writeFileSync(archive, gzipSync(makeTar(entries)))
    for (const from of ['../elsewhere', '../tool.tar.gz']) {
      const wrong = await here.run(['install', `${from}#sha256=${'0'.repeat(64)}`, '--json'], { answer: 'y' })
      const { error } = JSON.parse(wrong.err()) as { error: { code: string; found: string } }
      expect([error.code, existsSync(here.lockFile)]).toEqual(['SHA256_MISMATCH', false])
      expect((await here.yes('install', `${from}#sha256=${error.found}`)).code()).toBe(0)
      expect((await here.yes('remove', 'probe')).code()).toBe(0)
    }
  })
})

describe('a broken lock file', () => {
  it('is reported with its line by commands that would write it, and does not prevent others from listing', async () => {
    here.offer({})
    await here.yes('install', '../elsewhere')
    const text = '{\n  "version": 1,\n  oops\n}'
    writeFileSync(here.lockFile, text)
    for (const argv of [['install', '../elsewhere'], ['update'], ['remove', 'probe']]) {
      const { err, code } = await here.run(argv, { answer: 'y' })
      expect([err().split('\n')[0], code()]).toEqual([
        expect.stringMatching(/^TOOLS_LOCK_INVALID: \.contextd\/tools\.lock\.json:3:3: /),
        78,
      ])
    }
    const list = await here.run(['list'])
    expect([list.out(), list.err()]).toEqual([
      expect.stringContaining('probe'),
      expect.stringContaining('tools.lock.json:3:3'),
    ])
    expect(readFileSync(here.lockFile, 'utf8')).toBe(text)
  })
})
