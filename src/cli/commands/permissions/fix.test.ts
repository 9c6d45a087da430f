import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { beforeEach, describe, expect, test } from 'vitest'

import { dropped, servers, settings, usePermissionsHome } from '../../../../test/support/permissions-home.ts'

const home = usePermissionsHome()
const { project, person } = home

/** The same file after the fix. */
const kept = '{\n  "permissions": { "deny": ["mcp__probe"] }\n}\n'

describe('lint --fix', () => {
  const text = (folder: string): string => readFileSync(join(folder, settings), 'utf8')
  const backups = (): string[] => {
    const folder = join(home.path, 'state', 'permission-backups')
    return existsSync(folder) ? readdirSync(folder) : []
  }
  beforeEach(() => {
    home.put(project, '.mcp.json', servers)
  })

  test('shows the diff, backs up, writes, and lints again', async () => {
    const file = home.put(project, settings, dropped)
    chmodSync(file, 0o640)
    const { out, err, asked, code } = await home.run(['lint', '--fix'], { answer: 'y' })
    expect(out()).toContain('-  "permissions": { "deny": ["mcp__probe(*)"] }')
    expect(out()).toContain('+  "permissions": { "deny": ["mcp__probe"')
    expect(out()).toContain(`Written: ${settings}\n`)
    expect(out()).not.toContain('mcp-rule-parentheses')
    expect(asked()).toContain('Write this file? [y/N]')
    expect(code()).toBe(0)
    expect(text(project)).toContain('["mcp__probe"')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    const backup = /the previous files are in (.+)$/m.exec(err())?.[1] ?? ''
    expect(readFileSync(join(backup, file), 'utf8')).toBe(dropped)
    expect(statSync(backup).mode & 0o077).toBe(0)
    expect(statSync(join(backup, file)).mode & 0o077).toBe(0)
  })

  test('has nothing to do the second time', async () => {
    home.put(project, settings, dropped)
    for (let again = 0; again < 3; again++) await home.run(['lint', '--fix'], { answer: 'y' })
    const count = backups().length
    const before = text(project)
    const { out } = await home.run(['lint', '--fix'], { answer: 'y' })
    expect(out()).toContain('Nothing can be fixed automatically.')
    expect([text(project), backups().length]).toEqual([before, count])
  })

  test('does not change a plugin among the skills, or one linked there', async () => {
    const skill = join(project, 'vendor', 'extra')
    home.put(skill, 'SKILL.md', '---\ndescription: d\ndisallowed_tools: Bash\n---\n')
    mkdirSync(join(project, '.claude', 'skills'), { recursive: true })
    symlinkSync(skill, join(project, '.claude', 'skills', 'extra'))
    const fixable = async (): Promise<boolean[]> => (await home.lint()).findings.map((one) => one.fixable)
    expect(await fixable()).toEqual([true])
    home.put(skill, '.claude-plugin/plugin.json', { name: 'extra' })
    expect(await fixable()).toEqual([false])
  })

  test('says if another run is needed', async () => {
    const tools = Array.from({ length: 201 }, (_, index) => `mcp__probe__tool${index}`)
    home.put(project, settings, { permissions: { deny: tools.map((tool) => `${tool}(*)`) } })
    expect((await home.run(['lint'])).out()).toMatch(/^201 errors.*; --fix corrects 201$/m)
    const first = await home.run(['lint', '--fix'], { answer: 'y' })
    expect(first.out()).toMatch(/^1 error.*; --fix again for 1 of them$/m)
    const second = await home.run(['lint', '--fix'], { answer: 'y' })
    expect(second.out()).not.toContain('--fix again')
    expect(JSON.parse(text(project))).toEqual({ permissions: { deny: tools } })
  })

  test('prints JSON', async () => {
    home.put(project, settings, dropped)
    const dry = await home.lint('--fix', '--dry-run')
    expect(dry).toMatchObject({ written: false, backup: null, changes: [{ path: join(project, settings) }] })
    expect(dry.findings).not.toEqual([])
    const { out } = await home.run(['lint', '--fix', '--json'], { answer: 'y' })
    expect(JSON.parse(out())).toMatchObject({ written: true, backup: expect.any(String) as string })
  })

  test('--dry-run writes nothing, and is allowed for agents', async () => {
    home.put(project, settings, dropped)
    const { out, code } = await home.run(['lint', '--fix', '--dry-run'], { env: { CLAUDECODE: '1' } })
    expect(out()).toContain('+  "permissions": { "deny": ["mcp__probe"')
    expect(out()).toContain('Nothing was written.')
    expect([text(project), code(), backups()]).toEqual([dropped, 1, []])
  })

  test('is refused inside an agent', async () => {
    home.put(project, settings, dropped)
    const { err } = await home.run(['lint', '--fix'], { answer: 'y', env: { CLAUDECODE: '1' } })
    expect(err()).toContain('OPERATOR_REQUIRED')
    expect([text(project), backups()]).toEqual([dropped, []])
  })

  test('changes nothing if refused', async () => {
    home.put(project, settings, dropped)
    const { err } = await home.run(['lint', '--fix'], { answer: 'n' })
    expect(err()).toContain('APPROVAL_REQUIRED')
    expect([text(project), backups()]).toEqual([dropped, []])
  })

  test("without a terminal, writes project files but not the user's own", async () => {
    home.put(project, settings, dropped)
    expect((await home.run(['lint', '--fix'])).out()).toContain('Written')
    expect(text(project)).not.toBe(dropped)
    home.put(person, settings, dropped)
    expect((await home.run(['lint', '--fix'])).err()).toContain('OPERATOR_REQUIRED')
    expect(text(person)).toBe(dropped)
    await home.run(['lint', '--fix'], { answer: 'y' })
    expect(text(person)).toContain('["mcp__probe"')
  })

  test("a project link to a user's file is treated as that file, and stays a link", async () => {
    const target = home.put(person, 'shared.json', dropped)
    mkdirSync(join(project, '.claude'))
    symlinkSync(target, join(project, settings))
    expect((await home.run(['lint', '--fix'])).err()).toContain('OPERATOR_REQUIRED')
    expect(readFileSync(target, 'utf8')).toBe(dropped)
    await home.run(['lint', '--fix'], { answer: 'y' })
    expect(readFileSync(target, 'utf8')).toContain('["mcp__probe"')
    expect(lstatSync(join(project, settings)).isSymbolicLink()).toBe(true)
  })

  test('backups can be copied back, even if the folder is a link', async () => {
    home.put(project, 'shared/settings.json', dropped)
    symlinkSync('shared', join(project, '.claude'))
    const { err } = await home.run(['lint', '--fix'], { answer: 'y' })
    expect(text(project)).toBe(kept)
    const backup = /the previous files are in (.+)$/m.exec(err())?.[1] ?? ''
    cpSync(join(backup, project), project, { recursive: true })
    expect(text(project)).toBe(dropped)
  })

  test("if the home folder is the project, its files are still the user's own", async () => {
    home.put(person, '.mcp.json', servers)
    home.put(person, settings, dropped)
    expect((await home.run(['lint', '--fix'], { cwd: person })).err()).toContain('OPERATOR_REQUIRED')
    expect(text(person)).toBe(dropped)
    await home.run(['lint', '--fix'], { cwd: person, answer: 'y' })
    expect(text(person)).toContain('["mcp__probe"')
  })

  test('does not write a file that changed before confirmation', async () => {
    const file = home.put(project, settings, dropped)
    const { err, code } = await home.run(['lint', '--fix'], {
      answer: 'y',
      meanwhile: () => writeFileSync(file, kept),
    })
    expect(err()).toContain('changed in the meantime; nothing was written')
    expect(err()).toContain('the previous files are in ')
    expect(code()).toBe(2)
    expect(text(project)).toBe(kept)
  })

  test("preserves the user's formatting", async () => {
    const odd =
      '{\n\t"env": {"A":"b"},\n\t"permissions": {\n\t\t"deny": [\n\t\t\t"mcp__probe(*)"\n\t\t],\n\t\t"ask": [ ]\n\t}\n}'
    home.put(project, settings, odd)
    const { out } = await home.run(['lint', '--fix'], { answer: 'y' })
    expect(out().match(/^[+-]\t.*$/gm)?.[0]).toBe('-\t\t\t"mcp__probe(*)"')
    expect(text(project)).toMatch(
      /^\{\n\t"env": \{"A":"b"\},\n\t"permissions": \{\n\t\t"deny": \[\n\t\t\t"mcp__probe"/,
    )
    expect(text(project)).toMatch(/\n\t\t\],\n\t\t"ask": \[ \]\n\t\}\n\}$/)
  })
})
