import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { runCli } from '@contextd/shared/cli/output'
import { detectCommand } from './detect.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const random = seededRandom(51)
const pat = makeSample('ghp_{alnum:36}', random).text
const rules =
  '[[rules]]\nid = "acme"\ndescription = "Acme"\nregex = "acme_[a-z0-9]{12}"\nkeywords = ["acme_"]\n'

async function run(argv: readonly string[], input: string | Uint8Array = ''): Promise<FakeIo> {
  const fake = fakeIo({ env: home.env, cwd: home.project })
  async function* stdin(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(input as string)
  }
  const io = { ...fake.io, stdin: stdin() }
  await runCli(detectCommand(io), io, argv)
  return fake
}

const json = ({ out }: FakeIo): unknown => JSON.parse(out())

describe('list', () => {
  interface Listed {
    readonly rules: readonly { id: string; from: string; description: string; keywords: string[] }[]
  }

  it('contains the built-in rules', async () => {
    const listed = json(await run(['list', '--json'])) as Listed
    expect(listed.rules.length).toBeGreaterThan(400)
    expect(listed.rules.find(({ id }) => id === 'github-pat')).toEqual({
      id: 'github-pat',
      from: 'built-in',
      description: 'GitHub personal access token',
      keywords: ['ghp_'],
    })
    expect((await run(['list'])).out()).toMatch(
      /^RULE +SOURCE +DESCRIPTION +KEYWORDS\n[\s\S]*\ngithub-pat +built-in /,
    )
  })

  it('lists the user’s own rules first, with file and line', async () => {
    home.write('project/own.toml', rules)
    const listed = json(await run(['list', '--config', 'own.toml', '--json'])) as Listed
    expect(listed.rules[0]).toMatchObject({
      id: 'acme',
      from: expect.stringMatching(/\/own\.toml:1$/) as string,
    })
  })

  it('omits disabled rules', async () => {
    home.write('config/own.toml', '[extend]\nuseDefault = true\ndisabledRules = ["github-pat"]\n')
    const ids = async (): Promise<string[]> =>
      (json(await run(['list', '--json'])) as Listed).rules.map(({ id }) => id)
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
    expect(await ids()).toContain('github-pat')
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\nallowlists = true\n')
    expect(await ids()).not.toContain('github-pat')
  })

  it('names the project file that is ignored', async () => {
    home.write('project/.gitleaks.toml', rules)
    const { err } = await run(['list', '--json'])
    expect(err()).toMatch(/^note: .*\.gitleaks\.toml is not trusted/)
  })
})

describe('test', () => {
  it('prints secrets masked, and exits with 1', async () => {
    const fake = await run(['test', '--json', `use ${pat} now`])
    expect(json(fake)).toEqual({
      findings: [{ rule: 'github-pat', start: 4, end: 44, length: 40, masked: `ghp_…${pat.slice(-2)}` }],
    })
    expect(fake.code()).toBe(1)
    const { out, code } = await run(['test', '-'], pat)
    expect(out()).toMatch(/^RULE +START +END +LENGTH +SECRET\ngithub-pat +0 +40 +40 +ghp_…..\n$/)
    expect(code()).toBe(1)
  })

  it('exits with 0 if there are no secrets', async () => {
    const { out, code } = await run(['test', 'nothing here'])
    expect([out(), code()]).toEqual(['No secrets found.\n', 0])
  })

  it('reads arbitrary bytes from a pipe', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(` ${pat}`)])
    const { findings } = json(await run(['test', '--json', '-'], bytes)) as { findings: object[] }
    expect(findings).toMatchObject([{ rule: 'github-pat', start: 4 }])
  })

  it('ignores encoded secrets with --no-decode', async () => {
    const encoded = Buffer.from(`the token ${pat} of it`).toString('base64')
    expect((await run(['test', encoded])).code()).toBe(1)
    expect((await run(['test', '--no-decode', encoded])).code()).toBe(0)
  })
})

describe('explain', () => {
  it('says how a secret was detected, without showing it', async () => {
    const { out, code } = await run(['explain', '-'], `export TOKEN=${pat}\n`)
    expect(out()).toContain(
      `secret github-pat: GitHub personal access token\n  ghp_…${pat.slice(-2)} (40 characters, 13 to 53)\n` +
        '  detected by its prefix, keyword "ghp_" at 13\n',
    )
    expect(out()).not.toContain(pat.slice(4, -4))
    expect(code()).toBe(0)
  })

  it('says how a secret was encoded', async () => {
    const encoded = Buffer.from(`the token ${pat} of it`).toString('base64')
    expect((await run(['explain', encoded])).out()).toContain('  encoded in base64\n')
  })

  it('says why a match was ignored', async () => {
    const { out } = await run(['explain', 'password = "changeme"'])
    expect(out()).toBe(
      'No secrets found.\nignored generic-password, keyword "pass" at 0\n' +
        '  c… it is a placeholder, as in documentation\n',
    )
  })

  it('prints one object with --json', async () => {
    expect(json(await run(['explain', '--json', `${pat} and a key`]))).toMatchObject({
      findings: [{ rule: 'github-pat', by: 'prefix', keyword: { text: 'ghp_', start: 0 }, encodings: [] }],
      misses: expect.arrayContaining([
        expect.objectContaining({ rules: ['generic-api-key'], keyword: 'key', reason: 'no-assignment' }),
      ]) as unknown,
    })
  })

  it('limits the number of ignored matches', async () => {
    const { out } = await run(['explain', 'a key '.repeat(200)])
    expect(out().split('\n').length).toBeLessThan(150)
    expect(out()).toMatch(/\n… and \d+ more ignored; --json lists all\n$/)
  })
})

test.each([
  [['explain', '-'], 'x'.repeat(70_000), 2, /^USAGE: the text is longer than 65536 characters/],
  [['test'], '', 2, /^USAGE: missing required argument 'text'/],
  [['test', '--config', 'none.toml', 'a'], '', 78, /none\.toml: does not exist/],
])('%j is an error', async (argv, input, code, message) => {
  const fake = await run(argv, input)
  expect(fake.err()).toMatch(message)
  expect([fake.code(), fake.out()]).toEqual([code, ''])
})
