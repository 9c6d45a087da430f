import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeTar, makeZip } from '@contextd/shared/testing/archives'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { CommonError } from '@contextd/shared/errors/common-error'
import { sarifReport, scan, type ScanOptions, type ScanReport, type UserSettings } from './scan.ts'

const random = seededRandom(3)
const pat = (): string => makeSample('ghp_{alnum:36}', random).text

let folder: string
let notes: string[]
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-scan-')))
  notes = []
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const untrusting: UserSettings = {
  trustOf: () => 'unknown',
  howToTrust: () => 'trust the folder',
  rulesFile: () => undefined,
}

function write(files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

function run(options: Partial<ScanOptions> = {}): Promise<ScanReport> {
  return scan({
    env: { CONTEXTD_HOME: join(folder, 'no-home') },
    cwd: folder,
    paths: ['.'],
    stdin: [],
    decode: true,
    useIgnoreFiles: true,
    onNote: (text) => notes.push(text),
    ...options,
  })
}

const places = ({ findings }: ScanReport): string[] =>
  findings.map(({ rule, file, line, column }) => `${file}:${line}:${column} ${rule}`)
const names = ({ findings }: ScanReport): string[] => findings.map(({ file }) => file)

async function codeOfFailure(scanning: Promise<unknown>): Promise<string> {
  return scanning.then(
    () => 'none',
    (error: unknown) => (error instanceof CommonError ? error.code : String(error)),
  )
}

describe('a folder', () => {
  test('is scanned in the order of names, with the files counted', async () => {
    write({ 'b.txt': `x ${pat()}\n`, 'a/z.env': `\nKEY=${pat()}\n`, 'a/empty': '', plain: 'nothing here\n' })
    const report = await run()
    expect(places(report)).toEqual(['b.txt:1:3 github-pat', 'a/z.env:2:5 github-pat'])
    expect(report).toMatchObject({ root: folder, files: 4, skipped: [], warnings: [] })
    expect(report.bytes).toBe(43 + 46 + 13)
  })

  test('the same file passed twice is one file', async () => {
    write({ 'a/x': pat() })
    expect(await run({ paths: ['.', 'a', 'a/x'] })).toMatchObject({ files: 1, findings: [{ file: 'a/x' }] })
  })

  test('a finding has all details but the secret', async () => {
    const secret = pat()
    write({ x: `token: "${secret}"\n` })
    const report = await run()
    expect(report.findings).toEqual([
      {
        rule: 'github-pat',
        description: expect.stringContaining('GitHub') as string,
        file: 'x',
        line: 1,
        column: 9,
        endLine: 1,
        endColumn: 49,
        start: 8,
        end: 48,
        secretLength: 40,
        entropy: expect.any(Number) as number,
        match: 'token: "[SECRET]"',
        fingerprint: 'x:github-pat:1',
        identity: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
    ])
    expect(JSON.stringify(report)).not.toContain(secret.slice(4))
  })

  test('ignored files are skipped, unless passed explicitly', async () => {
    write({
      '.gitignore': '*.log\n/build/\n',
      'a.log': pat(),
      'build/x': pat(),
      'sub/build/x': pat(),
      'sub/.gitignore': '!keep.log\n',
      'sub/keep.log': pat(),
    })
    expect(names(await run())).toEqual(['sub/keep.log', 'sub/build/x'])
    expect(names(await run({ paths: ['sub'] }))).toEqual(['keep.log', 'build/x'])
    expect(names(await run({ paths: ['a.log'] }))).toEqual(['a.log'])
    expect(names(await run({ useIgnoreFiles: false }))).toHaveLength(4)
  })

  test('warns if all files are ignored', async () => {
    write({ '.gitignore': '*\n', a: pat() })
    expect(await run()).toMatchObject({
      files: 0,
      warnings: [{ file: '.', message: expect.stringContaining('--no-ignore') as string }],
    })
  })

  test('links are not followed, including cyclic ones', async () => {
    write({ 'in/x': 'nothing', 'out/secret': pat() })
    symlinkSync(join(folder, 'out/secret'), join(folder, 'in/link'))
    symlinkSync('..', join(folder, 'in/circle'))
    symlinkSync('nowhere', join(folder, 'in/broken'))
    const report = await run({ paths: ['in'] })
    expect(report.findings).toEqual([])
    expect(report.skipped).toEqual([
      { file: 'broken', why: 'is a link' },
      { file: 'circle', why: 'is a link' },
      { file: 'link', why: 'is a link' },
    ])
    expect(names(await run({ paths: ['in/link'] }))).toEqual(['secret'])
    linkSync(join(folder, 'out/secret'), join(folder, 'in/hard'))
    expect(names(await run({ paths: ['in'] }))).toEqual(['hard'])
  })

  test('files that cannot be opened are reported, the rest is scanned', async () => {
    write({ a: pat(), b: pat(), c: pat(), 'd/x': pat() })
    const onProgress = (): void => {
      rmSync(join(folder, 'b'), { force: true })
      rmSync(join(folder, 'd'), { recursive: true, force: true })
    }
    const report = await run({ onProgress })
    expect(names(report)).toEqual(['a', 'c'])
    expect(report.warnings).toEqual([
      { file: 'b', message: 'cannot be opened (ENOENT)' },
      { file: 'd/', message: 'cannot be opened (ENOENT)' },
    ])
  })

  test('a file name may be invalid UTF-8', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad-`), Buffer.from([0xff, 0xfe])]), pat())
    expect(names(await run())).toEqual(['bad-\uFFFD\uFFFD'])
  })

  test('a file above the maximum size is skipped, and reported', async () => {
    write({ small: pat(), large: `${pat()}${' '.repeat(1000)}` })
    expect(await run({ maxFileBytes: 1000 })).toMatchObject({
      findings: [{ file: 'small' }],
      skipped: [{ file: 'large', why: 'is larger than 1000 bytes' }],
    })
  })

  test('a missing path is an error', async () => {
    expect(await codeOfFailure(run({ paths: ['nope'] }))).toBe('NOT_FOUND')
    write({ file: '' })
    expect(await codeOfFailure(run({ paths: ['file/below'] }))).toBe('NOT_FOUND')
    expect(await codeOfFailure(run({ paths: ['file'] }))).toBe('none')
  })

  test('stdin', async () => {
    const report = await run({ paths: ['-'], stdin: [Buffer.from('a\nb '), Buffer.from(`${pat()}\n`)] })
    expect(places(report)).toEqual(['stdin:2:3 github-pat'])
    expect(await run({ paths: ['-'], stdin: [gzipSync(pat())] })).toMatchObject({
      findings: [],
      skipped: [{ file: 'stdin', why: 'is an archive, piped in, which is not opened' }],
    })
  })
})

describe('file contents', () => {
  test('a large file is read in chunks', async () => {
    const line = 'some words in a line of a log that goes on and on\n'
    write({ big: `${line.repeat(50_000)}end ${pat()}\n${line.repeat(50_000)}` })
    expect(places(await run())).toEqual(['big:50001:5 github-pat'])
  })

  test('a binary', async () => {
    write({ 'app.bin': Buffer.concat([Buffer.alloc(500), Buffer.from(`key=${pat()}`), Buffer.alloc(500)]) })
    expect((await run()).findings).toMatchObject([
      { file: 'app.bin', binary: true, line: 1, column: 505, start: 504 },
    ])
  })

  test('archives, one level deep', async () => {
    const inner = makeZip([{ name: 'deep.txt', content: pat() }])
    write({
      'a.zip': makeZip([
        { name: 'conf/.env', content: `A=1\nB=${pat()}\n` },
        { name: '../../escape', content: pat() },
        { name: 'inner.jar', content: inner },
      ]),
      'b.tar': makeTar([{ name: './x', content: pat() }]),
      'c.tgz': gzipSync(makeTar([{ name: 'y.txt', content: pat() }])),
      'd.log.gz': gzipSync(`${'line\n'.repeat(1000)}${pat()}\n`),
      'e.xz': Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0]),
    })
    const report = await run()
    expect(places(report)).toEqual([
      'a.zip!conf/.env:2:3 github-pat',
      'a.zip!escape:1:1 github-pat',
      'b.tar!x:1:1 github-pat',
      'c.tgz!y.txt:1:1 github-pat',
      'd.log.gz!d.log:1001:1 github-pat',
    ])
    expect(report.skipped).toEqual([
      { file: 'a.zip!inner.jar', why: 'is an archive inside an archive, which is not opened' },
      { file: 'e.xz', why: 'is compressed as xz, which is not opened' },
    ])
    expect(report.files).toBe(5)
  })

  test('a broken entry does not hide the entries after it, a bomb is reported', async () => {
    const zip = makeZip([
      { name: 'broken', content: 'x'.repeat(1000) },
      { name: 'fine', content: pat() },
    ])
    zip.fill(0xff, 37, 42)
    write({ 'a.zip': zip, 'bomb.gz': gzipSync(Buffer.alloc(16 * 1_048_576)) })
    const report = await run()
    expect(names(report)).toEqual(['a.zip!fine'])
    expect(report.warnings).toEqual([
      { file: 'a.zip!broken', message: 'not fully scanned: its compressed data is corrupt' },
      { file: 'bomb.gz', message: 'not fully scanned: it inflates to more than 200 times its size' },
    ])
  })

  test.each([
    ['a zip', [0x50, 0x4b, 3, 4]],
    ['a gzip', [0x1f, 0x8b, 8]],
    ['a 7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
    ['an xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
    ['a bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59]],
  ])('a text that starts like %s is scanned as text, and reported', async (_, magic) => {
    const text = `\nTOKEN=${pat()}\n`
    const bytes = Buffer.concat([Buffer.from(magic), Buffer.from(text)])
    write({ x: bytes, 'y.zip': makeZip([{ name: 'inner', content: bytes }]) })
    const report = await run()
    expect(names(report)).toEqual(['x', 'y.zip!inner'])
    const reported = new Set([...report.skipped, ...report.warnings].map(({ file }) => file))
    expect(reported).toEqual(new Set(['x', 'y.zip!inner']))
    expect(names(await run({ paths: ['-'], stdin: [bytes] }))).toEqual(['stdin'])
  })

  test('an archive that cannot be read completely is scanned as bytes too, without duplicates', async () => {
    const whole = makeTar([
      { name: 'a', content: pat() },
      { name: 'b', content: pat() },
    ])
    write({
      'x.tar': Buffer.concat([whole.subarray(0, 1024), Buffer.from(pat()), whole.subarray(1064, 1500)]),
    })
    expect(names(await run())).toEqual(['x.tar!a', 'x.tar'])
    write({ 'x.tar': whole })
    expect(names(await run())).toEqual(['x.tar!a', 'x.tar!b'])
  })

  test('a name with a secret is a finding, and is masked', async () => {
    const [inFolder, inName, content] = [pat(), pat(), pat()]
    write({
      [`${inFolder}/plain.txt`]: content,
      [`dump-${inName}`]: Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), Buffer.from('x')]),
    })
    const report = await run()
    expect(places(report)).toEqual(['dump-[SECRET]:0:0 github-pat', '[SECRET]/plain.txt:1:1 github-pat'])
    expect(report.warnings).toMatchObject([{ file: 'dump-[SECRET]' }])
    for (const text of [JSON.stringify(report), JSON.stringify(sarifReport(report))])
      for (const secret of [inFolder, inName, content]) expect(text).not.toContain(secret)
    write({ '.gitleaksignore': `${inFolder}/plain.txt:github-pat:1\n${report.findings[0]?.fingerprint}\n` })
    expect(names(await run())).toEqual(['.gitleaksignore'])
  })

  test('a notebook, by cell and by line of the file', async () => {
    const secret = pat()
    const cells = [
      { cell_type: 'markdown', source: ['# hello\n'] },
      { cell_type: 'code', source: ['import os\n', `key = "${secret}"\n`], outputs: [] },
    ]
    const text = JSON.stringify({ cells, metadata: {}, nbformat: 4 }, null, 1)
    write({ 'n.ipynb': text, 'broken.ipynb': `{"cells": ["${pat()}"` })
    const report = await run()
    const line = text.split('\n').findIndex((one) => one.includes(secret)) + 1
    expect(report.findings).toMatchObject([
      { file: 'broken.ipynb', line: 1 },
      { file: 'n.ipynb', cell: 2, line, match: 'key = "[SECRET]"', start: text.indexOf(secret) },
    ])
    expect(report.warnings).toMatchObject([{ file: 'broken.ipynb' }])
  })

  test('a file that is a secret by its name, also in an archive', async () => {
    write({
      'cert.p12': 'x',
      'a.zip': makeZip([{ name: 'store.jks', content: 'x' }]),
      'debug.keystore': 'x',
      p12: 'x',
    })
    expect(places(await run())).toEqual([
      'a.zip!store.jks:0:0 java-keystore-file',
      'cert.p12:0:0 pkcs12-file',
    ])
  })
})

describe('known findings', () => {
  test('by fingerprint in an ignore file', async () => {
    write({ a: `${pat()}\n`, b: `${pat()}\n`, '.gitleaksignore': '# known\na:github-pat:1\nnonsense\n' })
    expect(await run()).toMatchObject({
      findings: [{ file: 'b' }],
      allowed: 1,
      warnings: [{ file: '.gitleaksignore', message: expect.stringContaining('line 3') as string }],
    })
  })

  test('by a baseline, even if the line moved, but not if the secret changed', async () => {
    const [one, two] = [pat(), pat()]
    write({ a: `key = ${one}\n` })
    writeFileSync(join(folder, 'known.json'), JSON.stringify(await run({ paths: ['a'] })))
    const again = (): Promise<ScanReport> => run({ paths: ['a'], baselineFile: 'known.json' })
    expect(await again()).toMatchObject({ findings: [], known: 1 })
    write({ a: `\n\n  key = ${one}\nmore\n` })
    expect(await again()).toMatchObject({ findings: [], known: 1 })
    write({ a: `key = ${two}\n` })
    expect(await again()).toMatchObject({ findings: [{ line: 1 }], known: 0 })
  })

  test('a missing or invalid baseline is an error', async () => {
    write({ a: 'text', 'bad.json': '{"x": 1}' })
    expect(await codeOfFailure(run({ baselineFile: 'nope.json' }))).toBe('NOT_FOUND')
    expect(await codeOfFailure(run({ baselineFile: 'bad.json' }))).toBe('CONFIG_INVALID')
    expect(await codeOfFailure(run({ baselineFile: '.' }))).toBe('CONFIG_INVALID')
  })
})

describe('rules of a file', () => {
  const own = `[[rules]]\nid = "acme"\nregex = '''acme-[0-9]{6}'''\ntags = ["acme"]\n`

  test('are searched in the same order as in gitleaks', async () => {
    write({ x: 'acme-123456 other-1234\n', 'own.toml': own, 'other.toml': own.replaceAll('acme', 'other') })
    const other = { GITLEAKS_CONFIG: 'other.toml' }
    const text = { GITLEAKS_CONFIG_TOML: own.replaceAll('acme-[0-9]{6}', 'other-1') }
    const rules = async (options: Partial<ScanOptions>): Promise<string[]> =>
      (await run({ paths: ['x'], ...options })).findings.map(({ rule, column }) => `${rule}:${column}`)
    expect(await rules({})).toEqual([])
    expect(await rules({ configFile: 'own.toml', env: { ...other, ...text } })).toEqual(['acme:1'])
    write({ 'other.toml': own.replaceAll('acme', 'other').replace('{6}', '{4}') })
    expect(await rules({ env: { ...other, ...text } })).toEqual(['other:13'])
    expect(await rules({ env: text })).toEqual(['acme:13'])
  })

  test('report with their tags, and files by path', async () => {
    write({
      x: 'acme-123456',
      'sub/id.secret': '',
      'r.toml': `${own}[[rules]]\nid = "by-path"\npath = '''\\.secret$'''`,
    })
    expect((await run({ configFile: 'r.toml' })).findings).toMatchObject([
      { file: 'x', rule: 'acme', tags: ['acme'] },
      { file: 'sub/id.secret', rule: 'by-path', line: 0 },
    ])
  })

  test('of an untrusted project are ignored, with a note', async () => {
    write({ x: `acme-123456 ${pat()}`, '.gitleaks.toml': own })
    expect((await run()).findings).toMatchObject([{ rule: 'github-pat' }])
    expect(notes).toEqual([
      expect.stringMatching(/\.gitleaks\.toml is not trusted .*--config .*\.gitleaks\.toml/),
    ])
  })

  test('that are invalid end the scan before anything is read', async () => {
    write({ x: pat(), 'bad.toml': '[[rules]]\nid = "a"\nregex = "("\n' })
    const failed = await run({ configFile: 'bad.toml' }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'CONFIG_INVALID', details: { line: 3 } })
    expect((failed as Error).message).toContain('bad.toml:3: a: regex is not a valid RE2 pattern')
    expect(await codeOfFailure(run({ configFile: 'nope.toml' }))).toBe('CONFIG_INVALID')
  })

  test('extend others, with paths relative to the working directory or the file', async () => {
    write({ x: 'acme-123456', 'conf/a.toml': '[extend]\npath = "b.toml"\n', 'conf/b.toml': own })
    expect(names(await run({ configFile: 'conf/a.toml', paths: ['x'] }))).toEqual(['x'])
    write({ 'conf/a.toml': '[extend]\npath = "conf/b.toml"\n' })
    expect(names(await run({ configFile: 'conf/a.toml', paths: ['x'] }))).toEqual(['x'])
    write({ 'conf/a.toml': '[extend]\npath = "c.toml"\n' })
    expect(await codeOfFailure(run({ configFile: 'conf/a.toml', paths: ['x'] }))).toBe('CONFIG_INVALID')
  })

  test('of the user apply in addition to built-in ones', async () => {
    write({ x: `acme-123456 ${pat()}`, 'home/own.toml': own })
    const settings = { ...untrusting, rulesFile: () => join(folder, 'home/own.toml') }
    expect((await run({ settings, paths: ['x'] })).findings.map(({ rule }) => rule)).toEqual([
      'acme',
      'github-pat',
    ])
  })

  test.each(['changed', 'unknown'] as const)('of a project have no effect while %s', async (trust) => {
    write({ x: `acme-123456 ${pat()}`, '.gitleaks.toml': own })
    const settings = { ...untrusting, trustOf: () => trust }
    expect((await run({ settings })).findings.map(({ rule }) => rule)).toEqual(['github-pat'])
    expect(notes).toEqual([expect.stringContaining('trust the folder')])
    const trusted = { ...settings, trustOf: () => 'trusted' as const }
    expect((await run({ settings: trusted })).findings.map(({ rule }) => rule)).toEqual(['acme'])
  })
})
