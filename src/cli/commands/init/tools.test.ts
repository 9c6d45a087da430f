import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { linkedTools } from '../../../clients/tool-links/tools.ts'
import { filesIn, makeInitHome, type InitHome } from '../../../../test/support/init-home.ts'

let home: InitHome
beforeEach(() => {
  home = makeInitHome()
})
afterEach(() => home.remove())

const tools = ['--tools']
const link = '.claude/tools/safe_bash/safe_bash'
const proxy = fileURLToPath(new URL('../../../../bin/contextd-proxy.js', import.meta.url))
const linkOf = (name: string): string => readlinkSync(home.at(name))

it('writes a schema, a description and a link for every tool, and nothing else', async () => {
  const { out, code } = await home.init(tools)
  expect(code()).toBe(0)
  expect(out()).toContain('In the project, for you alone:\n')
  expect(out()).toContain(`+++ ${home.at(link)}\n@@ -0,0 +1 @@\n+link to ${proxy}\n`)
  const files = Object.keys(home.files()).filter((name) => !lstatSync(home.at(name)).isDirectory())
  const wanted = linkedTools.flatMap(({ name }) =>
    ['TOOL.md', name, 'schema.json'].map((file) => `.claude/tools/${name}/${file}`),
  )
  expect(files.sort()).toEqual(wanted.sort())
  expect(realpathSync(home.at(link))).toBe(proxy)
  expect(lstatSync(proxy).mode & 0o111).toBe(0o111)
  expect(home.json('.claude/tools/safe_bash/schema.json')).toMatchObject({ name: 'safe_bash' })
  expect(home.text('.claude/tools/safe_bash/TOOL.md')).toMatch(/^# safe_bash\n> Runs/)
})

it('is idempotent, and --undo restores the original state', async () => {
  home.put('.claude/settings.json', '{}')
  home.put('.claude/tools/mine/mine', 'my own')
  const before = home.files()
  await home.init(tools)
  const once = home.files()
  expect((await home.init(tools)).out()).toBe('Nothing to do.\n')
  expect(home.files()).toEqual(once)
  const undone = (await home.init(['--undo'], { answer: 'y' })).out()
  expect(undone).toMatch(/^Undone: (?:\S+, ){2}\S+ and \d+ more$/m)
  expect(home.files()).toEqual(before)
})

it('removes folders it created', async () => {
  await home.init(tools)
  await home.init(['--undo', ...tools], { answer: 'y' })
  expect(home.files()).toEqual({})
})

it('changes nothing with --dry-run, in either direction', async () => {
  expect((await home.init([...tools, '--dry-run'])).out()).toContain('Nothing was written.')
  expect(home.files()).toEqual({})
  await home.init(tools)
  const written = home.files()
  expect((await home.init(['--undo', '--dry-run'])).out()).toContain(`-link to ${proxy}`)
  expect(home.files()).toEqual(written)
})

it('can be added with a client, and removed without it', async () => {
  await home.init(['--platform', 'claude-code'])
  const client = home.files()
  await home.init(tools)
  expect(linkOf(link)).toBe(proxy)
  await home.init(['--platform', 'claude-code', ...tools])
  await home.init(['--undo', ...tools], { answer: 'y' })
  expect(home.files()).toEqual(client)
  await home.init(tools)
  await home.init(['--undo', '--platform', 'claude-code'], { answer: 'y' })
  expect(Object.keys(home.files())).toContain(link)
  expect(Object.keys(home.files())).not.toContain('.claude/settings.local.json')
})

it('links to the program on the PATH, which updates do not move', async () => {
  const installed = join(home.programs, 'contextd-proxy')
  writeFileSync(installed, '')
  chmodSync(installed, 0o755)
  await home.init(tools)
  expect(linkOf(link)).toBe(installed)
  await home.init(tools, { env: { PATH: '' } })
  expect(linkOf(link)).toBe(proxy)
  await home.init(['--undo'], { answer: 'y' })
  expect(home.files()).toEqual({})
})

it('replaces an outdated link of ours, and refuses to replace anything else', async () => {
  mkdirSync(home.at('.claude/tools/safe_bash'), { recursive: true })
  symlinkSync('elsewhere', home.at(link))
  await home.init(tools)
  expect(linkOf(link)).toBe(proxy)
  await home.init(['--undo'], { answer: 'y' })
  expect(linkOf(link)).toBe('elsewhere')

  home.put('.claude/tools/branch/branch', 'my own')
  const before = home.files()
  const { err, code } = await home.init(tools)
  expect(err()).toMatch(/^CONFIG_INVALID: .*branch: already exists, and is not a link\nNothing was written/)
  expect([code(), home.files()]).toEqual([78, before])
})

it('does not write through a linked folder', async () => {
  const outside = join(home.path, 'outside')
  mkdirSync(outside)
  mkdirSync(home.at('.claude'))
  symlinkSync(outside, home.at('.claude/tools'))
  expect((await home.init(tools)).err()).toMatch(
    /^CONFIG_INVALID: .*tools: is a link, and links are not written to/,
  )
  expect(filesIn(outside)).toEqual({})
})

it('does not remove a link that was changed to another target', async () => {
  await home.init(tools)
  const other = home.at('.claude/tools/safe_bash/other')
  symlinkSync('elsewhere', other)
  renameSync(other, home.at(link))
  const before = home.files()
  expect((await home.init(['--undo'], { answer: 'y' })).err()).toMatch(/^USAGE: .* has changed since/)
  expect(home.files()).toEqual(before)
})

it('recognizes its own files without a journal', async () => {
  await home.init(tools)
  rmSync(join(home.path, 'state', 'init'), { recursive: true })
  home.put('.claude/tools/branch/TOOL.md', 'my own words')
  await home.init(['--undo'], { answer: 'y' })
  expect(home.files()).toEqual({
    '.claude': '',
    '.claude/tools': '',
    '.claude/tools/branch': '',
    '.claude/tools/branch/TOOL.md': 'my own words',
  })
})

it("writes to the user's own folder with --user", async () => {
  await home.init([...tools, '--user'])
  expect(readlinkSync(join(home.person, link))).toBe(proxy)
  expect(home.files()).toEqual({})
  await home.init(['--undo', '--user'], { answer: 'y' })
  expect(filesIn(home.person)).toEqual({})
})

it('is refused for agents', async () => {
  expect((await home.init(tools, { env: { CLAUDECODE: '1' } })).err()).toMatch(/^OPERATOR_REQUIRED/)
  expect(home.files()).toEqual({})
})
