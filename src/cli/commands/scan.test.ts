import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { sarifProblems } from '@contextd/shared/testing/sarif-shape'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { openRecords } from '../../compose.ts'
import type { ScanReport } from '@contextd/scrub/scan'
import { runCli, type CliIo } from '@contextd/shared/cli/output'
import { scanCommand } from './scan.ts'

const random = seededRandom(29)
const pat = (): string => makeSample('ghp_{alnum:36}', random).text

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

function write(name: string, content: string): void {
  mkdirSync(dirname(join(home.project, name)), { recursive: true })
  writeFileSync(join(home.project, name), content)
}

async function run(argv: string[], changes: Partial<CliIo> = {}, columns?: number): Promise<FakeIo> {
  const fake = fakeIo({ env: home.env, cwd: home.project, ...(columns !== undefined && { columns }) })
  const io = { ...fake.io, ...changes }
  await runCli(scanCommand(io), io, argv)
  return fake
}

const parse = (fake: FakeIo): ScanReport => JSON.parse(fake.out()) as ScanReport

describe('prints', () => {
  it('the location of each secret without its value, and exits with 1', async () => {
    const secret = pat()
    write('src/a.ts', `// line\nconst token = '${secret}'\n`)
    const fake = await run([])
    expect(fake.out()).toBe(
      `src/a.ts:2:16: GitHub personal access token (github-pat)\n    const token = '[SECRET]'\n1 secret in 1 file, 65 bytes\n`,
    )
    expect(fake.err()).toBe('')
    expect(fake.code()).toBe(1)
  })

  it('that there are no secrets, and exits with 0', async () => {
    write('a', 'nothing\n')
    const fake = await run(['.'])
    expect(fake.out()).toBe('No secrets in 1 file, 8 bytes\n')
    expect(fake.code()).toBe(0)
  })

  it('paths relative to the current folder', async () => {
    write('a', pat())
    const fake = await run([home.project], { cwd: home.path })
    expect(fake.out()).toContain('project/a:1:1: ')
    const far = await run([home.project], { cwd: join(home.path, 'config') })
    expect(far.out()).toContain(`${realpathSync(home.project)}/a:1:1: `)
  })

  it('no control characters', async () => {
    write('\u001B[31mred', `\u001B[2J ${pat()}\n`)
    const { out } = await run([])
    expect(out()).not.toContain('\u001B')
    expect(out()).toContain('\\u{1b}[31mred')
  })

  it('JSON and SARIF on stdout, and everything else on stderr', async () => {
    write('a', `${pat()}\n`)
    const json = await run(['--json'])
    expect(parse(json)).toMatchObject({
      findings: [{ file: 'a', line: 1 }],
      files: 1,
      bytes: expect.any(Number) as number,
      skipped: [],
      warnings: [],
    })
    expect((await run(['--format', 'json'])).out()).toBe(json.out())
    const sarif = await run(['--format', 'sarif'])
    expect(sarifProblems(JSON.parse(sarif.out()))).toEqual([])
    expect([json.code(), sarif.code()]).toEqual([1, 1])
  })

  it('the report to a file, and then nothing on stdout', async () => {
    write('a', `${pat()}\n`)
    const fake = await run(['--format', 'sarif', '--output', 'out/report.sarif'])
    expect(fake.out()).toBe('')
    expect(fake.err()).toBe('1 secret in 1 file, 41 bytes\n')
    expect(fake.code()).toBe(1)
    expect(sarifProblems(JSON.parse(readFileSync(join(home.project, 'out/report.sarif'), 'utf8')))).toEqual(
      [],
    )
    write('file', '')
    const refused = await run(['--output', 'file/report.txt'])
    expect(refused.code()).toBe(74)
    expect(refused.err()).toContain('the report could not be written')
  })

  it('what was skipped', async () => {
    write('a.ipynb', '{')
    const fake = await run(['--max-file-size', '1K'])
    expect(fake.err()).toContain('note: a.ipynb: is not a valid notebook')
    write('large', ' '.repeat(2000))
    write('larger', ' '.repeat(3000))
    const { err } = await run(['--max-file-size', '1K'])
    expect(err()).toContain('note: skipped large and 1 more: is larger than 1024 bytes')
  })

  it('progress only on a terminal and for long scans', async () => {
    for (let file = 0; file < 100; file++) write(`${file}`, 'words\n')
    /** With a clock that advances on every read. */
    const slow = async (columns?: number): Promise<string> => {
      const real = Date.now
      let now = real()
      Date.now = () => (now += 20)
      try {
        return (await run([], {}, columns)).err()
      } finally {
        Date.now = real
      }
    }
    const shown = await slow(80)
    expect(shown).toMatch(/^\r\d+ files, \d+ bytes, 0 secrets/)
    expect(shown.endsWith('\r\u001B[K')).toBe(true)
    expect(await slow()).toBe('')
  })
})

describe('scans', () => {
  it('piped text', async () => {
    const stdin = (async function* () {
      yield Buffer.from('first\n')
      yield Buffer.from(`second ${pat()}\n`)
    })()
    const fake = await run(['-'], { stdin })
    expect(fake.out()).toContain('stdin:2:8: ')
    expect(fake.code()).toBe(1)
  })

  it('encoded secrets, unless disabled', async () => {
    write('a', `data: ${Buffer.from(`export T=${pat()}`).toString('base64')}\n`)
    expect((await run([])).code()).toBe(1)
    expect((await run(['--no-decode'])).code()).toBe(0)
  })

  it('ignored files, on request', async () => {
    write('.gitignore', 'a\n')
    write('a', pat())
    expect((await run([])).code()).toBe(0)
    expect((await run(['--no-ignore'])).code()).toBe(1)
  })

  it('only what is new since a report', async () => {
    write('a', `${pat()}\n`)
    await run(['--json', '--output', '../known.json'])
    const fake = await run(['--baseline', '../known.json'])
    expect(fake.out()).toBe('No secrets in 1 file, 41 bytes (1 known from the baseline)\n')
    write('b', `${pat()}\n`)
    expect((await run(['--baseline', '../known.json'])).code()).toBe(1)
  })

  it("with a project's rules and allowlists once they are trusted", async () => {
    write('a', `${pat()} acme-123456\n`)
    write('.gitleaks.toml', "[[rules]]\nid = 'acme'\nregex = '''acme-[0-9]{6}'''\n")
    const before = await run(['a'])
    expect(before.out()).toContain('(github-pat)')
    expect(before.err()).toMatch(/note: .*\.gitleaks\.toml is not trusted .*ctxd trust/)
    const file = join(home.project, '.gitleaks.toml')
    const records = openRecords(home.env)
    records.trust.trust(file, readFileSync(file))
    records.close()
    const after = await run(['a'])
    expect(after.err()).toBe('')
    expect(after.out()).toContain('a:1:42: acme (acme)')
    expect(after.out()).not.toContain('(github-pat)')
    write('.gitleaks.toml', "[[allowlists]]\nregexes = ['''.''']\n")
    const changed = await run(['a'])
    expect(changed.out()).toContain('(github-pat)')
    expect(changed.err()).toMatch(/\.gitleaks\.toml has changed since it was trusted .*ctxd trust/)
  })
})

it("adds the user's own rules to the built-in ones", async () => {
  write('a', `${pat()} acme-123456\n`)
  const config = join(home.env.CONTEXTD_HOME!, 'config')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.toml'), '[scrub]\nrules_file = "own.toml"\n')
  writeFileSync(join(config, 'own.toml'), "[[rules]]\nid = 'acme'\nregex = '''acme-[0-9]{6}'''\n")
  const out = (await run(['a'])).out()
  expect(out).toContain('(acme)')
  expect(out).toContain('(github-pat)')
})

describe('refuses', () => {
  it.each([
    ['a path that is not there', ['nope'], 12, 'There is no file or folder /'],
    ['a baseline that is not there', ['--baseline', 'nope'], 12, 'There is no baseline /'],
    ['a format that is none', ['--format', 'xml'], 2, 'Allowed choices are text, json, sarif'],
    ['a size that is none', ['--max-file-size', 'much'], 2, 'It must be a number of bytes'],
    ['two formats', ['--json', '--format', 'sarif'], 2, 'exclude each other'],
    ['two kinds of changes', ['--staged', '--git-range', 'HEAD'], 2, 'cannot be used with'],
    ['rules that are not there', ['--config', 'nope.toml'], 78, 'does not exist'],
    ['an option that is none', ['--stagd'], 2, '--staged'],
  ])('%s', async (_, argv, code, text) => {
    const fake = await run(argv)
    expect(fake.err()).toContain(text)
    expect(fake.code()).toBe(code)
    expect(fake.out()).toBe('')
  })

  it('invalid rules, with their line, before scanning', async () => {
    write('a', pat())
    write('bad.toml', '[[rules]]\nid = "x"\nregex = "a(?=b)"\n')
    const fake = await run(['--config', 'bad.toml', '--json'])
    expect(fake.code()).toBe(78)
    expect(JSON.parse(fake.err())).toMatchObject({
      error: { code: 'CONFIG_INVALID', line: 3, message: expect.stringContaining('lookahead') as string },
    })
    expect(fake.out()).toBe('')
  })

  it('to create any files of its own', async () => {
    write('a', 'x')
    await run([])
    expect(existsSync(join(home.path, 'state'))).toBe(false)
  })
})
