import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { CodedError } from '../../core/errors/errors.ts'
import { configSchema, projectKeys, settings, type ConfigKey } from './config-schema.ts'
import { loadConfig, parseConfig, projectConfigFile, type LoadedConfig } from './load-config.ts'

const defaultConfig = configSchema.parse({})

let folder: string
let userFile: string
let project: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-config-'))
  userFile = join(folder, 'config.toml')
  project = join(folder, 'project')
  mkdirSync(dirname(projectConfigFile(project)), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const load = (trusted = true): LoadedConfig => loadConfig({ userFile, project, isTrusted: () => trusted })

function problemsOf(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof CodedError && error.code === 'CONFIG_INVALID') return error.message.split('\n')
    throw error
  }
  return []
}
const problemsIn = (text: string, allowed?: readonly ConfigKey[]): string[] =>
  problemsOf(() => parseConfig(Buffer.from(text), 'c.toml', allowed))

describe('loadConfig', () => {
  it('returns the defaults if there is no file', () => {
    const { config, sources, ignored } = load()
    expect(config).toEqual(defaultConfig)
    expect(sources.size).toBe(0)
    expect(ignored).toBeUndefined()
  })

  it('applies user settings over the defaults, and a trusted project over those', () => {
    writeFileSync(userFile, '[http]\nport = 8000\n[budget]\nanswer_tokens = 500\nref_ttl_minutes = 5\n')
    writeFileSync(projectConfigFile(project), 'budget.answer_tokens = 900\n')
    const { config, sources } = load()
    expect(config).toEqual({
      ...defaultConfig,
      http: { ...defaultConfig.http, port: 8000 },
      budget: { ...defaultConfig.budget, answer_tokens: 900, ref_ttl_minutes: 5 },
    })
    expect(sources.get('http.port')).toBe('user')
    expect(sources.get('budget.answer_tokens')).toBe('project')
    expect(sources.has('http.host')).toBe(false)
  })

  it('ignores an untrusted project, even with invalid TOML', () => {
    writeFileSync(projectConfigFile(project), 'budget.answer_tokens = 900\n')
    expect(load(false).config).toEqual(defaultConfig)
    expect(load(false).ignored?.file).toBe(projectConfigFile(project))
    expect(load(true).config.budget.answer_tokens).toBe(900)
    writeFileSync(projectConfigFile(project), '[[[')
    expect(load(false).config).toEqual(defaultConfig)
    expect(problemsOf(() => load(true))).toHaveLength(1)
  })

  it('checks trust of the exact bytes it uses', () => {
    writeFileSync(projectConfigFile(project), '[log]\nlevel = "debug"')
    const asked: [string, string][] = []
    loadConfig({ userFile, project, isTrusted: (path, bytes) => asked.push([path, String(bytes)]) > 0 })
    expect(asked).toEqual([[projectConfigFile(project), '[log]\nlevel = "debug"']])
  })

  it('ignores an unreadable project file', () => {
    symlinkSync('/dev/zero', projectConfigFile(project))
    expect(load()).toMatchObject({
      config: defaultConfig,
      ignored: { file: projectConfigFile(project), why: 'is not a regular file' },
    })
  })

  it('rejects an unreadable user file', () => {
    mkdirSync(userFile)
    expect(problemsOf(load)).toEqual([`${userFile}: is not a regular file`])
    rmSync(userFile, { recursive: true })
    symlinkSync(userFile, userFile)
    expect(problemsOf(load)).toEqual([`${userFile}: cannot be opened (ELOOP)`])
    rmSync(userFile)
    writeFileSync(userFile, '#'.repeat(1_048_577))
    expect(problemsOf(load)).toEqual([`${userFile}: is larger than 1 MB`])
    writeFileSync(userFile, '#'.repeat(1_048_576))
    expect(problemsOf(load)).toEqual([])
  })
})

describe('parseConfig', () => {
  it('reports file, line, column and the nearest valid key for every problem at once', () => {
    const text = `[http]\nprot = 1\n  port = "x"\nallowed_hosts = ["a",\n 5]\n[audti]\n[log]\nlevel = "loud" # c\nport = 1\n`
    expect(problemsIn(text)).toEqual([
      'c.toml:2:1: there is no key http.prot; did you mean http.port?',
      'c.toml:3:3: http.port must be an integer from 0 to 65535',
      'c.toml:5:2: http.allowed_hosts must be a list of strings',
      'c.toml:6:1: there is no key audti; did you mean audit?',
      'c.toml:8:1: log.level must be one of debug, info, warn, error',
      'c.toml:9:1: there is no key log.port; did you mean http.port?',
    ])
  })

  it.each([
    ['a syntax error', '[http]\nport = \n', /^c\.toml:2:8: invalid value$/],
    ['a key that is given twice', '[log]\nlevel = "info"\nlevel = "info"', /^c\.toml:3:1: /],
    ['a value in the place of a table', 'x = 1\nhttp = 5', /^c\.toml:2:1: http must be a table$/],
    ['an array in the place of a table', '\n[[http]]', /^c\.toml:2:1: http must be a table$/],
    ['an unknown dotted key', '\nfoo.bar = 1', /^c\.toml:2:1: there is no key foo$/],
    [
      'a quoted key with a dot',
      '"http.port" = 1',
      /^c\.toml:1:1: there is no key "http\.port"; did you mean http\.port\?$/,
    ],
    ['a key in an inline table', 'http = { prot = 1 }', /^c\.toml:1:10: .*http\.port/],
    ['a number that is not whole', '[http]\nport = 1.5', /^c\.toml:2:1: http\.port must be an integer/],
    ['a number too large to be exact', '[http]\nport = 99999999999999999999', /^c\.toml:2:8: /],
    ['a date', '[http]\nhost = 1979-05-27', /^c\.toml:2:1: http\.host must be a non-empty string/],
    ['a prototype key', '[__proto__]\nx = 1', /^c\.toml:1:2: .*unsafe/],
    ['a byte-order mark before the problem', '\uFEFFx = 1', /^c\.toml:1:1: there is no key x$/],
  ])('rejects %s', (_, text, problem) => {
    expect(problemsIn(text).at(-1)).toMatch(problem)
  })

  it('reads providers by name, and reports what is wrong with one', () => {
    const good = '[model.providers.local]\nurl = "http://127.0.0.1:8080/api"\napi = "openai"\n'
    expect(problemsIn(good)).toEqual([])
    expect(problemsIn(good, projectKeys).join()).toContain('a project may not set model.providers')
    const address =
      'model.providers.local.url must be an https address, or http to this machine, without credentials, `?` and `#`'
    const api = 'model.providers.local.api must be one of anthropic, openai, gemini'
    const name =
      'must be a table with url and api; its name is 1 to 32 of a-z, 0-9 and -, and not anthropic, openai, gemini'
    for (const [text, problem] of [
      [good.replace('http:', 'ftp:'), `c.toml:2:1: ${address}`],
      [good.replace('127.0.0.1', 'models.example'), `c.toml:2:1: ${address}`],
      [good.replace('"openai"', '"cohere"'), `c.toml:3:1: ${api}`],
      [good.replace('api = "openai"\n', ''), `c.toml:1:1: ${api}`],
      [good.replace('.local', '.anthropic'), `c.toml:1:1: model.providers.anthropic ${name}`],
      [good.replace('.local', '.Local'), `c.toml:1:1: model.providers.Local ${name}`],
      [
        `${good}key = "x"`,
        'c.toml:4:1: there is no key model.providers.local.key; did you mean model.providers?',
      ],
    ] as const) {
      expect(problemsIn(text)).toEqual([problem])
    }
  })

  it.each([
    ['https://models.example', true],
    ['https://models.example:8443/v1/', true],
    ['https://[2001:db8::1]/', true],
    ['http://localhost:11434', true],
    ['http://[::1]:8080', true],
    ['http://models.example', false],
    ['http://127.0.0.1.models.example', false],
    ['https://user@models.example', false],
    ['https://models.example/?key=x', false],
    ['models.example', false],
    ['', false],
  ])('validates the address of a provider: %s', (url, isGood) => {
    expect(problemsIn(`model.openai = "${url}"`)).toHaveLength(isGood ? 0 : 1)
    expect(!isGood || URL.canParse(url)).toBe(true)
  })

  it('quotes no value of the file', () => {
    for (const text of ['[http]\nport = "hunter2"', '[http]\nport = hunter2', '[log]\nlevel = "hunter2"']) {
      expect(problemsIn(text)).toHaveLength(1)
      expect(problemsIn(text).join()).not.toContain('hunter2')
    }
  })

  it('keeps the error short for an arbitrarily invalid file', () => {
    const long = Array.from({ length: 25 }, (_, index) => `${'k'.repeat(1000)}${index} = 1`)
    const many = Array.from({ length: 5000 }, (_, index) => `k${index} = 1`)
    const nonsense = [...long, ...many].join('\n')
    expect(problemsIn(nonsense)).toHaveLength(20)
    expect(problemsIn(nonsense).join('\n').length).toBeLessThan(4000)
  })

  it('lets a project set its own keys only', () => {
    for (const { key, default: value } of settings().values()) {
      const text = `${key} = ${JSON.stringify(value)}`
      expect(problemsIn(text), key).toEqual([])
      const refused = projectKeys.includes(key)
        ? []
        : [`c.toml:1:1: a project may not set ${key}, only ${projectKeys.join(', ')}`]
      expect(problemsIn(text, projectKeys), key).toEqual(refused)
    }
  })

  it('returns a configuration or CONFIG_INVALID for any bytes', () => {
    const nearly = fc
      .tuple(
        fc.constantFrom(...settings().keys(), 'http', '[http]\nport', '[[log]]\nlevel', '"\\u0000"'),
        fc.oneof(
          fc.json({ maxDepth: 2 }),
          fc.string(),
          fc.constantFrom('1', '"a"', '[[[[', '{a={a={}}}', '2020-01-01'),
        ),
      )
      .map(([key, value]) => `${key} = ${value}`)
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary-ascii' }).map((text) => Buffer.from(text)),
      fc.array(nearly, { maxLength: 4 }).map((lines) => Buffer.from(lines.join('\n'))),
    )
    fc.assert(
      fc.property(bytes, fc.boolean(), (input, asProject) => {
        const problems = problemsOf(() => parseConfig(input, 'c.toml', asProject ? projectKeys : undefined))
        for (const problem of problems) expect(problem).toMatch(/^c\.toml(:\d+:\d+)?: ./)
      }),
      { numRuns: 500 },
    )
  })

  it('survives extreme nesting', () => {
    for (const deep of [
      '['.repeat(100_000),
      `a = ${'['.repeat(100_000)}`,
      `${'a.'.repeat(50_000)}a = 1`,
      `[[a.${'a.'.repeat(50_000)}a]]`,
    ]) {
      expect(problemsIn(deep)).toHaveLength(1)
    }
  })
})
