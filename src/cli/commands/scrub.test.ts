import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'

import { fakeIo } from '@contextd/shared/testing/cli-io'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { runCli } from '@contextd/shared/cli/output'
import { scrubCommand } from './scrub.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const random = seededRandom(21)
const pat = makeSample('ghp_{alnum:36}', random).text
const key = makeSample('sk_live_{alnum:32}', random).text

interface Ran {
  readonly bytes: Buffer
  readonly out: string
  readonly err: string
  readonly code: number
}

/** `input` arrives in these chunks. */
async function run(argv: readonly string[], ...input: readonly (string | Uint8Array)[]): Promise<Ran> {
  const fake = fakeIo({ env: home.env, cwd: home.project })
  const written: Uint8Array[] = []
  const stdout = { write: (data: string | Uint8Array) => void written.push(Buffer.from(data as string)) }
  async function* stdin(): AsyncGenerator<Uint8Array> {
    for (const piece of input) yield Buffer.from(piece as string)
  }
  const io = { ...fake.io, stdout, stdin: stdin() }
  await runCli(scrubCommand(io), io, argv)
  const bytes = Buffer.concat(written)
  return { bytes, out: bytes.toString(), err: fake.err(), code: fake.code() }
}

describe('a text', () => {
  it('has its secrets replaced with tokens, the same for equal secrets', async () => {
    const { out, err, code } = await run([], `a ${pat} b ${key} c ${pat}\n`)
    expect([out, err, code]).toEqual(['a [SECRET_1] b [SECRET_2] c [SECRET_1]\n', '', 0])
  })

  it('may arrive in any chunks', async () => {
    const text = `ü ${pat} 🔑 ${key}\n`
    const bytes = Buffer.from(text)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { out } = await run(['-'], bytes.subarray(0, cut), bytes.subarray(cut))
      expect(out).toBe('ü [SECRET_1] 🔑 [SECRET_2]\n')
    }
  })

  it('may be a file', async () => {
    home.write('project/app.log', `password: ${key}\n`)
    expect((await run(['app.log'])).out).toBe('password: [SECRET_1]\n')
  })

  it('may be empty', async () => {
    expect(await run([])).toMatchObject({ out: '', err: '', code: 0 })
  })

  it('with any bytes is preserved except for the secret', async () => {
    const other = Buffer.from(
      Uint8Array.from({ length: 50_000 }, () => 128 + Math.floor(random() * 128)).map((byte, i) =>
        i % 40 === 0 ? [0, 10, 13, 32, 0xff][(i / 40) % 5]! : byte,
      ),
    )
    expect(other.equals(Buffer.from(other.toString()))).toBe(false)
    expect((await run([], other)).bytes.equals(other)).toBe(true)
    const { bytes } = await run([], other, ` ${pat} `, other)
    expect(bytes.equals(Buffer.concat([other, Buffer.from(' [SECRET_1] '), other]))).toBe(true)
  })

  it('is one object with --json, with offsets in UTF-16 units', async () => {
    const { out } = await run(['--json'], `🔑 ${pat}`)
    const findings = [{ rule: 'github-pat', start: 3, end: 43, token: '[SECRET_1]' }]
    expect(JSON.parse(out)).toEqual({ text: '🔑 [SECRET_1]', findings })
  })

  it('may keep its encoded secrets', async () => {
    const encoded = Buffer.from(`the token ${pat} of it`).toString('base64')
    expect((await run([], `${encoded}\n`)).out).not.toContain(encoded)
    expect((await run(['--no-decode'], `${encoded}\n`)).out).toBe(`${encoded}\n`)
  })

  it("is checked with the user's own rules", async () => {
    const rules = '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\nkeywords = ["acme_"]\n'
    home.write('project/rules.toml', rules)
    const own = makeSample('acme_{lower:12}', random).text
    expect((await run([], own)).out).toBe(own)
    expect((await run(['--config', 'rules.toml'], own)).out).toBe('[SECRET_1]')
  })
})

describe('JSON lines', () => {
  const scrubbed = async (...lines: string[]): Promise<unknown[]> =>
    (await run(['--jsonl'], lines.map((line) => `${line}\n`).join(''))).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)

  it('get their findings', async () => {
    expect(await scrubbed(JSON.stringify({ text: `🔑 ${pat}`, id: 7 }), '{"text":"b"}')).toEqual([
      {
        text: '🔑 [SECRET_1]',
        id: 7,
        findings: [{ rule: 'github-pat', start: 3, end: 43, token: '[SECRET_1]' }],
      },
      { text: 'b', findings: [] },
    ])
  })

  it('are one session: a secret found once is masked from then on', async () => {
    const value = makeSample('{lower:24}', random).text
    const bare = JSON.stringify({ text: `it is ${value} there` })
    const [first, second] = await scrubbed(JSON.stringify({ text: `api_key = "${value}"` }), bare)
    expect(first).toMatchObject({ text: 'api_key = "[SECRET_1]"' })
    expect(second).toMatchObject({ text: 'it is [SECRET_1] there', findings: [{ token: '[SECRET_1]' }] })
    expect((await scrubbed(bare))[0]).toMatchObject({ text: `it is ${value} there`, findings: [] })
  })

  it('have all other strings checked too', async () => {
    const [line] = await scrubbed(
      JSON.stringify({ [pat]: [pat], text: 'a', more: { password: 'Tr0ub4dor&3' } }),
    )
    expect(line).toEqual({
      '[SECRET_1]': ['[SECRET_1]'],
      text: 'a',
      more: { password: '[SECRET_2]' },
      findings: [],
    })
  })

  it('may be empty, end in CRLF, or lack the last line break', async () => {
    const { out, code } = await run(['--jsonl'], '\n{"text":"a"}\r\n \n\n{"text":"b"}')
    expect(out).toBe('\n{"text":"a","findings":[]}\r\n \n\n{"text":"b","findings":[]}')
    expect(code).toBe(0)
  })

  it('may arrive in any chunks', async () => {
    const bytes = Buffer.from(`{"text":"ü ${pat}"}\n{"text":"🔑"}\n`)
    const { out: whole } = await run(['--jsonl'], bytes)
    expect(whole).not.toContain(pat)
    for (let cut = 0; cut <= bytes.length; cut += 7) {
      expect((await run(['--jsonl'], bytes.subarray(0, cut), bytes.subarray(cut))).out).toBe(whole)
    }
  })

  it('preserve lone surrogates, NUL and invalid UTF-8', async () => {
    const odd = Buffer.concat([
      Buffer.from('{"text":"\\ud800 \\u0000 '),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}'),
    ])
    const { bytes } = await run(['--jsonl'], odd)
    expect(bytes.equals(Buffer.concat([odd.subarray(0, -1), Buffer.from(',"findings":[]}')]))).toBe(true)
  })

  test.each([
    ['no JSON', `{"text": "${pat}"`],
    ['no object', `["${pat}"]`],
    ['no text', `{"txt": "${pat}"}`],
    ['a text that is none', `{"text": 5, "a": "${pat}"}`],
  ])('end the run if one is %s, and none of it passes', async (_, line) => {
    const { out, err, code } = await run(['--jsonl'], `{"text":"a"}\n\n${line}\n{"text":"b"}\n`)
    expect(out).toBe('{"text":"a","findings":[]}\n\n')
    expect(err).toMatch(/^PARSE_ERROR: .*line 3 is not a JSON object with a string `text`\n/)
    expect(err).not.toContain(pat)
    expect(code).toBe(2)
  })
})

describe('text that cannot be checked in time', () => {
  // Rules without keywords each search the entire text, which takes far more than the time limit.
  const rules = Array.from(
    { length: 60 },
    (_, i) => `[[rules]]\nid = "r${i}"\nregex = "(?:[a-z]+ ){1,${i + 3}}[0-9]"\n`,
  )
  const long = 'lorem ipsum dolor sit amet '.repeat(15_000)

  test.each([
    ['a text', [], `${long}\n`, ''],
    ['a text as one object', ['--json'], `${long}\n`, ''],
    ['a line', ['--jsonl'], `{"text":"a"}\n{"text":"${long}"}\n`, '{"text":"a","findings":[]}\n'],
  ])('%s is withheld', async (_, argv, input, passed) => {
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\ndeadline_ms = 100\n')
    home.write('config/own.toml', rules.join(''))
    const { out, err, code } = await run(argv, input)
    expect([out, code]).toEqual([passed, 19])
    expect(err).toMatch(/SCRUB_FAILED/)
    expect(err).toMatch(/Unchecked input is never printed\./)
    home.write('config/own.toml', '')
    home.write('config/config.toml', '')
    expect(await run(argv, input)).toMatchObject({ code: 0, err: '' })
  })
})

describe('input that cannot be read', () => {
  test.each([
    [['nothing.txt'], 12, /^NOT_FOUND: There is no file nothing\.txt\nCheck the spelling of nothing\.txt/],
    [['.'], 2, /^USAGE: the input cannot be read \(EISDIR\)/],
    [['--json', '--jsonl'], 2, /'--jsonl' cannot be used with option '--json'/],
    [['--config', 'nothing.toml'], 78, /^CONFIG_INVALID: .*nothing\.toml: does not exist/],
    [['--jsonn'], 2, /Did you mean one of --json, --jsonl/],
  ])('%j is an error', async (argv, code, message) => {
    const ran = await run(argv, 'a')
    expect(ran).toMatchObject({ code, out: '' })
    expect(ran.err).toMatch(message)
  })

  it('is not scrubbed with incomplete rules', async () => {
    home.write('project/rules.toml', '[[rules]]\nid = "acme"\nregex = "("\n')
    const { out, err, code } = await run(['--config', 'rules.toml'], 'a')
    expect([out, code]).toEqual(['', 78])
    expect(err).toMatch(/rules\.toml:3: acme: regex is not a valid RE2 pattern/)
  })
})
