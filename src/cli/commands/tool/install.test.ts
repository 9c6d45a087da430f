import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeTar } from '../../../../test/support/archives.ts'
import { fakeIo, type FakeIo } from '../../../../test/support/cli-io.ts'
import {
  packageFiles,
  toolProject,
  writePackage,
  type PackageParts,
  type ToolProject,
} from '../../../../test/support/tool-packages.ts'
import { openRecords } from '../../../compose.ts'
import { runProgram } from '../../ui/output.ts'
import { toolCommand } from '../tool.ts'

let place: ToolProject
let source: string
beforeEach(() => {
  place = toolProject()
  source = join(place.home, 'elsewhere')
})
afterEach(() => place.remove())

/** Puts a package where it is installed from. */
function offer(parts: PackageParts = {}): void {
  rmSync(source, { recursive: true, force: true })
  writePackage(source, packageFiles(parts))
}

async function run(
  argv: string[],
  options: { answer?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<FakeIo> {
  const fake = fakeIo({
    cwd: place.project,
    env: { CONTEXTD_HOME: place.home, PATH: process.env.PATH, ...options.env },
    ...(options.answer !== undefined && { answer: options.answer }),
  })
  await runProgram(toolCommand(fake.io), fake.io, argv)
  return fake
}
const yes = (...argv: string[]): Promise<FakeIo> => run(argv, { answer: 'y' })
const json = (fake: FakeIo): Record<string, unknown> => JSON.parse(fake.out()) as Record<string, unknown>
const lockFile = (): string => join(place.project, '.contextd/tools.lock.json')
const lock = () =>
  JSON.parse(readFileSync(lockFile(), 'utf8')) as { tools: Record<string, Record<string, string>> }
const installedFile = (path: string): string =>
  readFileSync(join(place.project, '.contextd/tools/probe', path), 'utf8')
const state = async (name = 'probe'): Promise<unknown> => json(await run(['show', name, '--json'])).state

function records<T>(work: (opened: ReturnType<typeof openRecords>) => T): T {
  const opened = openRecords({ CONTEXTD_HOME: place.home })
  try {
    return work(opened)
  } finally {
    opened.close()
  }
}
const events = (): string[] =>
  records(({ audit }) =>
    audit
      .query({ kind: 'event' })
      .map(({ event }) => String(event))
      .toReversed(),
  )

describe('ctxd tool install', () => {
  it('shows what comes from where and what it may do, and installs it after a yes', async () => {
    offer({ required: ['fs:read:src/**'], optional: ['memory:read'] })
    const { out, asked, code } = await yes('install', '../elsewhere')
    expect(asked().split('\n')).toEqual([
      `probe, to be installed in ${place.project}`,
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
      'Install probe, and let agents call it as it is now? [y/N] ',
    ])
    expect([out(), code()]).toEqual([
      expect.stringMatching(/^Installed: probe \(sha256:[0-9a-f]{12}\)\n$/),
      0,
    ])
    expect([await state(), events()]).toEqual(['approved', ['tool-approved', 'tool-installed']])
    expect(lock()).toEqual({
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
    expect(readdirSync(join(place.project, '.contextd')).sort()).toEqual(['tools', 'tools.lock.json'])
  })

  it('answers a program with all of it', async () => {
    offer({})
    expect(json(await yes('install', '../elsewhere', '--json'))).toMatchObject({
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
    const list = await run(['list'])
    expect(list.out()).toMatch(
      /^TOOL +STATE +SOURCE +REVISION +WHAT OR WHY\nprobe +approved +\.\.\/elsewhere +sha256:\w{12} +Does something\.\n$/,
    )
    expect(json(await run(['list', '--json']))).toMatchObject({
      tools: [
        { name: 'probe', source: '../elsewhere', revision: expect.stringMatching(/^sha256:/) as string },
      ],
    })
    expect((await run(['show', 'probe'])).out()).toContain('  from ../elsewhere\n')
  })

  it('gives it another name, and keeps that with every update', async () => {
    offer({ script: 'echo one' })
    expect((await yes('install', '../elsewhere', '--name', 'other')).code()).toBe(0)
    expect(await state('other')).toBe('approved')
    offer({ script: 'echo two' })
    expect((await yes('update', 'other')).out()).toMatch(/^Updated: other/)
    expect((await run(['install', '../elsewhere', '--name', 'Bad Name'], { answer: 'y' })).err()).toMatch(
      /^USAGE: a name is/,
    )
    expect((await run(['install', '../elsewhere', '--name', 'safe_bash'], { answer: 'y' })).err()).toMatch(
      /contextd itself/,
    )
  })

  it.each<[string, { answer?: string; env?: NodeJS.ProcessEnv }, string]>([
    ['the person says no', { answer: 'n' }, 'APPROVAL_REQUIRED'],
    ['there is no terminal', {}, 'OPERATOR_REQUIRED'],
    ['an agent runs it', { answer: 'y', env: { CLAUDECODE: '1' } }, 'OPERATOR_REQUIRED'],
  ])('leaves nothing where %s', async (_, options, error) => {
    offer({})
    const { err, code } = await run(['install', '../elsewhere', '--json'], options)
    expect([JSON.parse(err()), code()]).toMatchObject([{ error: { code: error } }, 22])
    expect([readdirSync(place.project), events()]).toEqual([[], []])
  })

  it('leaves a tool alone that was made here', async () => {
    place.add({ script: 'echo mine' })
    offer({})
    expect((await yes('install', '../elsewhere')).err()).toMatch(
      /^USAGE: there is a tool probe here that was not installed/,
    )
    expect(installedFile('run.sh')).toContain('echo mine')
  })

  it('refuses what is no tool, and says all that is wrong with it', async () => {
    offer({ files: { 'TOOL.md': '', 'schema.json': '{' } })
    const { err, code } = await yes('install', '../elsewhere')
    expect(err()).toMatch(/TOOL\.md: is empty[^]*schema\.json:1:2/)
    expect([code(), readdirSync(place.project)]).toEqual([24, []])
    expect((await yes('install', './none')).err()).toMatch(/no such file or folder/)
  })

  it('refuses links, also in a folder', async () => {
    offer({})
    symlinkSync('/etc/passwd', join(source, 'link'))
    expect((await yes('install', '../elsewhere')).err()).toMatch(/^ARCHIVE_REFUSED: .*link: is a link/)
  })

  it.each(['.contextd', '.contextd/tools'])('writes nothing where %s leads elsewhere', async (name) => {
    offer({})
    const outside = join(place.home, 'outside')
    mkdirSync(outside)
    if (name.includes('/')) mkdirSync(join(place.project, '.contextd'))
    symlinkSync(outside, join(place.project, name))
    expect((await yes('install', '../elsewhere')).err()).toMatch(/^FILE_UNSUITABLE: /)
    expect(readdirSync(outside)).toEqual([])
  })

  it('says so where .contextd is no folder', async () => {
    offer({})
    writeFileSync(join(place.project, '.contextd'), 'mine')
    expect((await yes('install', '../elsewhere')).err()).toMatch(/^FILE_UNSUITABLE: /)
    expect(readFileSync(join(place.project, '.contextd'), 'utf8')).toBe('mine')
  })

  it.skipIf(process.getuid?.() === 0)(
    'says where it may not write (needs another user than root)',
    async () => {
      offer({})
      chmodSync(place.project, 0o555)
      const { err, code } = await yes('install', '../elsewhere')
      chmodSync(place.project, 0o755)
      expect([err(), code()]).toEqual([expect.stringMatching(/^STORE_UNAVAILABLE: .*access was denied/), 74])
    },
  )

  it('does nothing where somebody was faster', async () => {
    offer({})
    let isFirst = true
    const fake = fakeIo({ answer: 'y', cwd: place.project, env: { CONTEXTD_HOME: place.home } })
    const openTerminal = (): ReturnType<NonNullable<typeof fake.io.openTerminal>> => {
      // While the question stands open.
      if (isFirst) place.add({ script: 'echo mine' })
      isFirst = false
      return fake.io.openTerminal?.()
    }
    const io = { ...fake.io, openTerminal }
    await runProgram(toolCommand(io), io, ['install', '../elsewhere'])
    expect(fake.err()).toMatch(/^FILE_CHANGED: /)
    expect([installedFile('run.sh'), existsSync(lockFile())]).toEqual(['#!/bin/bash\necho mine\n', false])
    expect(readdirSync(join(place.project, '.contextd'))).toEqual(['tools'])
  })

  it('holds a folder and an archive to the hash that is given', async () => {
    offer({})
    const entries = Object.entries(packageFiles({})).map(([name, content]) => ({
      name,
      content,
      mode: 0o755,
    }))
    const archive = join(place.home, 'tool.tar.gz')
    writeFileSync(archive, gzipSync(makeTar(entries)))
    for (const from of ['../elsewhere', '../tool.tar.gz']) {
      const wrong = await run(['install', `${from}#sha256=${'0'.repeat(64)}`, '--json'], { answer: 'y' })
      const { error } = JSON.parse(wrong.err()) as { error: { code: string; found: string } }
      expect([error.code, existsSync(lockFile())]).toEqual(['SHA256_MISMATCH', false])
      expect((await yes('install', `${from}#sha256=${error.found}`)).code()).toBe(0)
      expect((await yes('remove', 'probe')).code()).toBe(0)
    }
  })
})

describe('ctxd tool update', () => {
  beforeEach(async () => {
    offer({ script: 'echo one', required: ['fs:read:src/**'], files: { 'old.txt': 'a\nb\n' } })
    await yes('install', '../elsewhere')
  })

  it('says where nothing changed, and asks nothing', async () => {
    const { out, asked } = await run(['update'])
    expect([out(), asked()]).toEqual([expect.stringMatching(/^Unchanged: probe/), ''])
    expect((await run(['update', '--check'])).out()).toMatch(
      /^TOOL +INSTALLED +LATEST\nprobe +sha256:\w+ +current\n$/,
    )
  })

  it('shows what is different in files and rights, and replaces it after a yes', async () => {
    offer({
      script: 'echo two\necho three',
      required: ['http:fetch:api.example.com'],
      optional: ['memory:read'],
      files: { 'new.txt': 'c\n' },
    })
    const check = json(await run(['update', '--check', '--json']))
    expect(check).toMatchObject({ tools: [{ name: 'probe', is_current: false }] })
    const { asked, out } = await yes('update', 'probe')
    expect(asked().split('\n')).toEqual([
      'probe, as it is now and as it would be',
      '  from ../elsewhere',
      expect.stringMatching(/^ {2}revision sha256:/),
      expect.stringMatching(/^ {8}to sha256:/),
      '  NEW: may reach api.example.com on ports 80 and 443',
      expect.stringMatching(/^ {2}NEW: may ask you later to search/),
      '  no longer: may read files below src/',
      '  capabilities.toml changed (+2 -2)',
      '  new.txt is new (+1)',
      '  old.txt is gone (-2)',
      '  run.sh changed (+2 -1)',
      '  "Does something."',
      '  may reach api.example.com on ports 80 and 443',
      expect.stringMatching(/^ {2}may run for/),
      expect.stringMatching(/^ {2}may ask you later/),
      'Replace probe, and let agents call it as it is now? [y/N] ',
    ])
    expect(out()).toMatch(/^Updated: probe/)
    expect([await state(), installedFile('run.sh'), events().at(-1)]).toEqual([
      'approved',
      '#!/bin/bash\necho two\necho three\n',
      'tool-updated',
    ])
    // The files that are gone are not trusted any more either.
    expect(records(({ trust }) => trust.list().map(({ path }) => path.split('/').at(-1)))).not.toContain(
      'old.txt',
    )
  })

  it('leaves the old one working where the person says no, or the new one is no tool', async () => {
    offer({ script: 'echo two' })
    expect((await run(['update', 'probe'], { answer: 'n' })).code()).toBe(22)
    offer({ files: { 'TOOL.md': '' } })
    expect((await yes('update', 'probe')).code()).toBe(24)
    rmSync(source, { recursive: true })
    expect((await yes('update', 'probe')).code()).toBe(11)
    expect([await state(), installedFile('run.sh')]).toEqual(['approved', '#!/bin/bash\necho one\n'])
    expect(readdirSync(join(place.project, '.contextd')).sort()).toEqual(['tools', 'tools.lock.json'])
  })

  it('says that changes made here are lost', async () => {
    const file = join(place.project, '.contextd/tools/probe/run.sh')
    writeFileSync(file, '#!/bin/bash\necho mine\n')
    chmodSync(file, 0o755)
    const { asked } = await yes('update', 'probe')
    expect(asked()).toContain('changed here since it was installed: that is lost')
    expect(await state()).toBe('approved')
  })

  it('updates the others where one fails', async () => {
    const second = join(place.home, 'second')
    writePackage(second, packageFiles({ name: 'second', script: 'echo one' }))
    await yes('install', '../second')
    rmSync(source, { recursive: true })
    writePackage(second, packageFiles({ name: 'second', script: 'echo two' }))
    const { out, err, code } = await yes('update')
    expect([out(), err(), code()]).toEqual([
      expect.stringMatching(/^Updated: second/),
      expect.stringMatching(/^SOURCE_UNAVAILABLE: /),
      11,
    ])
  })

  it('asks before it follows a list that came with the project', async () => {
    offer({ script: 'echo two' })
    writeFileSync(lockFile(), readFileSync(lockFile(), 'utf8').replace('../elsewhere', '../elsewhere/'))
    const refused = await run(['update', '--check'], { answer: 'n' })
    expect(refused.asked()).toContain(
      'was not written here:\n  probe from ../elsewhere/\nFetch from there? [y/N] ',
    )
    expect(refused.code()).toBe(22)
    expect((await yes('update', '--check')).out()).toContain('sha256:')
  })

  it('knows only what was installed', async () => {
    place.add({ name: 'mine' })
    expect((await yes('update', 'mine')).err()).toMatch(/^NOT_FOUND: There is no such tool among those/)
  })

  it('is installed again from another place', async () => {
    const second = join(place.home, 'second')
    writePackage(second, packageFiles({ script: 'echo other' }))
    const { asked, out } = await yes('install', '../second')
    expect(asked()).toContain('  from ../elsewhere\n  NEW: from ../second\n')
    expect([out(), lock().tools.probe?.source]).toEqual([expect.stringMatching(/^Updated/), '../second'])
  })
})

describe('ctxd tool remove', () => {
  it('leaves nothing of what was installed', async () => {
    offer({})
    await yes('install', '../elsewhere')
    const refused = await run(['remove', 'probe'], { answer: 'n' })
    expect([refused.code(), await state()]).toEqual([22, 'approved'])
    expect((await run(['remove', 'probe'], { answer: 'y', env: { CLAUDECODE: '1' } })).code()).toBe(22)
    const { asked, out } = await yes('remove', 'probe')
    expect(asked()).toContain('  from ../elsewhere\n')
    expect([out(), readdirSync(place.project)]).toEqual(['Removed: probe\n', []])
    expect(records(({ trust }) => trust.list())).toEqual([])
    expect((await run(['show', 'probe'])).code()).toBe(12)
    expect(events().slice(-1)).toEqual(['tool-removed'])
  })

  it('leaves the other tools', async () => {
    offer({})
    await yes('install', '../elsewhere')
    await yes('install', '../elsewhere', '--name', 'second')
    place.add({ name: 'mine' })
    await yes('remove', 'probe')
    expect(readdirSync(join(place.project, '.contextd/tools')).sort()).toEqual(['mine', 'second'])
    expect([await state('second'), Object.keys(lock().tools)]).toEqual(['approved', ['second']])
  })

  it('works where the files are gone already', async () => {
    offer({})
    await yes('install', '../elsewhere')
    rmSync(join(place.project, '.contextd/tools'), { recursive: true })
    expect((await yes('remove', 'probe')).out()).toBe('Removed: probe\n')
    expect(readdirSync(place.project)).toEqual([])
  })
})

describe('a broken lock file', () => {
  it('is named with its line by whoever would write it, and is no reason to show nothing', async () => {
    offer({})
    await yes('install', '../elsewhere')
    const text = '{\n  "version": 1,\n  oops\n}'
    writeFileSync(lockFile(), text)
    for (const argv of [['install', '../elsewhere'], ['update'], ['remove', 'probe']]) {
      const { err, code } = await run(argv, { answer: 'y' })
      expect([err().split('\n')[0], code()]).toEqual([
        expect.stringMatching(/^TOOLS_LOCK_INVALID: \.contextd\/tools\.lock\.json:3:3: /),
        78,
      ])
    }
    const list = await run(['list'])
    expect([list.out(), list.err()]).toEqual([
      expect.stringContaining('probe'),
      expect.stringContaining('tools.lock.json:3:3'),
    ])
    expect(readFileSync(lockFile(), 'utf8')).toBe(text)
  })
})
