import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { settings } from '../../platform/config/config-schema.ts'
import { runCli } from '@contextd/shared/cli/output'
import { auditCommand } from './audit/audit.ts'
import { configCommand } from './config.ts'
import { trustCommand } from './trust.ts'

let folder: string
let file: string
let project: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-cli-'))
  file = join(folder, 'config', 'config.toml')
  project = join(folder, 'project')
  mkdirSync(dirname(file))
  mkdirSync(join(project, '.contextd'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(
  argv: string[],
  options: { answer?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<FakeIo> {
  const fake = fakeIo({
    answer: options.answer,
    cwd: project,
    env: { CONTEXTD_HOME: folder, ...options.env },
  })
  await runCli(configCommand(fake.io), fake.io, argv)
  return fake
}

describe('ctxd config get', () => {
  it('prints the effective value', async () => {
    expect((await run(['get', 'http.port'])).out()).toBe('7391\n')
    writeFileSync(file, '[http]\nport = 8000\nallowed_hosts = ["a", "b"]\n')
    expect((await run(['get', 'http.port'])).out()).toBe('8000\n')
    expect((await run(['get', 'http.allowed_hosts'])).out()).toBe('a,b\n')
    expect(JSON.parse((await run(['get', 'http.port', '--json'])).out())).toEqual({
      key: 'http.port',
      value: 8000,
      source: 'user',
    })
  })

  it('refuses an unknown key, and suggests the closest', async () => {
    const { err, out, code } = await run(['get', 'http.prot', '--json'])
    expect(JSON.parse(err())).toMatchObject({
      error: { code: 'USAGE', message: 'there is no key http.prot; did you mean http.port?' },
    })
    expect([out(), code()]).toEqual(['', 2])
  })

  it.each([
    ['get', 'log'],
    ['set', 'log', 'debug'],
  ])('lists the keys of a section: %s %s', async (...argv) => {
    const { err, out, code } = await run(argv, { answer: 'y' })
    expect(err()).toMatch(/^USAGE: log is a section; its keys are log\.level\n/)
    expect([out(), code()]).toEqual(['', 2])
  })

  it('reports the location of an error in the file', async () => {
    writeFileSync(file, '[http]\nprot = 1\n')
    const { err, code } = await run(['get', 'http.port'])
    expect(err()).toMatch(`CONFIG_INVALID: ${file}:2:1: there is no key http.prot; did you mean http.port?\n`)
    expect(code()).toBe(78)
  })

  it('ignores a project until it is trusted, and says so', async () => {
    writeFileSync(join(project, '.contextd', 'config.toml'), 'budget.answer_tokens = 900\n')
    const before = await run(['get', 'budget.answer_tokens'])
    expect(before.out()).toBe('2000\n')
    expect(before.err()).toContain('is not trusted; run `ctxd trust`')
    expect(existsSync(join(folder, 'state'))).toBe(false)

    const trusting = fakeIo({ answer: 'y', cwd: project, env: { CONTEXTD_HOME: folder } })
    await runCli(trustCommand(trusting.io), trusting.io, [])
    const after = await run(['get', 'budget.answer_tokens', '--json'])
    expect(JSON.parse(after.out())).toEqual({ key: 'budget.answer_tokens', value: 900, source: 'project' })
    expect(after.err()).toBe('')
  })
})

describe('ctxd config list and path', () => {
  it('lists every key with value, source and meaning', async () => {
    writeFileSync(file, '[log]\nlevel = "debug"\n')
    const text = (await run(['list'])).out()
    expect(text.split('\n')).toHaveLength(settings().size + 2)
    expect(text).toMatch(/^log\.level +debug +user +Lowest level that is logged\.$/m)
    const { settings: listed } = JSON.parse((await run(['list', '--json'])).out()) as {
      settings: { key: string; value: unknown; source: string }[]
    }
    expect(listed.map(({ key }) => key)).toEqual([...settings().keys()])
    expect(listed.find(({ key }) => key === 'log.level')).toMatchObject({
      value: 'debug',
      source: 'user',
      default: 'info',
    })
  })

  it('prints the path of the file', async () => {
    expect((await run(['path'])).out()).toBe(`${file}\n`)
    expect(JSON.parse((await run(['path', '--json'])).out())).toEqual({ path: file })
  })
})

describe('ctxd config set', () => {
  it('changes one key after confirmation', async () => {
    writeFileSync(file, '# mine\n[http]\nport = 1 # old\n')
    const { out, asked, code } = await run(['set', 'http.port', '8080'], { answer: 'y' })
    expect(asked()).toBe(
      `http.port: ${settings().get('http.port')?.description}\nSet http.port to 8080 in ${file}? [y/N] `,
    )
    expect(out()).toBe('http.port is set. Restart contextd to use it.\n')
    expect(code()).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('# mine\n[http]\nport = 8080 # old\n')
  })

  it('says that a key applies immediately', async () => {
    const { out } = await run(['set', 'client.mode', 'strict'], { answer: 'y' })
    expect(out()).toBe('client.mode is set. It applies immediately.\n')
  })

  it('explains the key before asking', async () => {
    const { asked } = await run(['set', 'sandbox.mode', 'off'], { answer: 'n' })
    expect(asked()).toMatch(/^sandbox\.mode: .*with all your rights.*\nSet sandbox\.mode to "off" in /)
  })

  it('records the key, but not its value', async () => {
    await run(['set', 'workspace.path', 'somewhere'], { answer: 'y' })
    const { io, out } = fakeIo({ env: { CONTEXTD_HOME: folder } })
    await runCli(auditCommand(io), io, ['query', '--json'])
    expect(JSON.parse(out())).toMatchObject({
      entries: [{ event: 'config-set', details: { key: 'workspace.path' } }],
    })
    expect(out()).not.toContain('somewhere')
  })

  it('keeps the change if it cannot be recorded, and says so', async () => {
    writeFileSync(join(folder, 'state'), 'in the way')
    const { err, out, code } = await run(['set', 'http.port', '8080'], { answer: 'y' })
    expect(err()).toMatch(/^note: the change was not audited: /)
    expect([out(), code()]).toEqual(['http.port is set. Restart contextd to use it.\n', 0])
    expect(readFileSync(file, 'utf8')).toContain('port = 8080')
  })

  it('creates the file if it is missing', async () => {
    rmSync(dirname(file), { recursive: true })
    const { out } = await run(['set', 'http.allowed_hosts', 'a.example,b.example', '--json'], {
      answer: 'yes',
    })
    expect(JSON.parse(out())).toEqual({ key: 'http.allowed_hosts', value: ['a.example', 'b.example'], file })
    expect(readFileSync(file, 'utf8')).toBe('[http]\nallowed_hosts = [ "a.example", "b.example" ]\n')
  })

  it.each<[string, RegExp, { answer?: string; env?: NodeJS.ProcessEnv }]>([
    ['the user refuses', /^APPROVAL_REQUIRED: .*\nNothing was changed\.\n$/, { answer: 'n' }],
    ['there is no terminal', /^OPERATOR_REQUIRED: /, {}],
    ['an agent runs it', /^OPERATOR_REQUIRED: /, { answer: 'y', env: { CLAUDECODE: '1' } }],
  ])('changes nothing: %s', async (_, said, options) => {
    writeFileSync(file, '[http]\nport = 1\n')
    const { err, out, code } = await run(['set', 'http.port', '8080'], options)
    expect(err()).toMatch(said)
    expect([out(), code()]).toEqual(['', 22])
    expect(readFileSync(file, 'utf8')).toBe('[http]\nport = 1\n')
  })

  it.each([
    ['a key that does not exist', ['http.prot', '1'], 'USAGE', 2],
    ['a value the key cannot have', ['http.port', 'eighty'], 'USAGE', 2],
    ['a file that is wrong elsewhere', ['log.level', 'info'], 'CONFIG_INVALID', 78],
  ])('refuses %s without asking', async (_, argv, error, exit) => {
    writeFileSync(file, '[http]\nport = "x"\n')
    const { err, asked, code } = await run(['set', ...argv, '--json'], { answer: 'y' })
    expect((JSON.parse(err()) as { error: { code: string } }).error.code).toBe(error)
    expect([asked(), code()]).toEqual(['', exit])
  })

  it('reports that the file is not writable', async () => {
    rmSync(dirname(file), { recursive: true })
    writeFileSync(dirname(file), 'in the way')
    const { err, code } = await run(['set', 'http.port', '8080'], { answer: 'y' })
    expect(err()).toMatch(/^CONFIG_INVALID: .*cannot be written \(E(EXIST|NOTDIR)\)/)
    expect(code()).toBe(78)
  })
})
