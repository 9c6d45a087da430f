import { readFileSync } from 'node:fs'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { codeBlocks } from '@contextd/shared/testing/markdown-blocks'
import { readGitleaksConfig, type ReadConfig } from './read-config.ts'
import { tableShapes } from './read-document.ts'
import type { GitleaksConfig } from './gitleaks-config.ts'

const defaultIds = new Set(['aws-access-token', 'generic-api-key', 'github-pat'])

function read(text: string, files: Record<string, string> = {}): ReadConfig {
  return readGitleaksConfig(
    { text, file: '.gitleaks.toml' },
    {
      defaultIds,
      load: (path) => {
        const found = files[path]
        if (found === undefined) throw new Error('is not there')
        return found
      },
    },
  )
}

function clean(text: string, files?: Record<string, string>): GitleaksConfig {
  const { config, problems, warnings } = read(text, files)
  expect(problems).toEqual([])
  expect(warnings).toEqual([])
  return config!
}

const messagesOf = ({ problems, warnings }: ReadConfig): string[] =>
  [...problems, ...warnings].map(({ file, line, message }) => `${file}:${line}: ${message}`)

const acme = '[[rules]]\nid = "acme"\nregex = "acme_([a-z]{8})"\n'
const useDefault = '[extend]\nuseDefault = true\n'

describe('a single file', () => {
  test('has its own rules and uses no default ones', () => {
    const config = clean(`title = "t"\n${acme}`)
    expect(config).toMatchObject({
      title: 't',
      usesDefault: false,
      overrides: [],
      disabledRules: [],
      allowlists: [],
    })
    expect(config.rules.map(({ id }) => id)).toEqual(['acme'])
  })

  test('may have a rule with the id of a default one, which it does not change', () => {
    const config = clean('[[rules]]\nid = "github-pat"\nregex = "x"')
    expect(config.rules.map(({ id }) => id)).toEqual(['github-pat'])
    expect(config.overrides).toEqual([])
  })

  test('may be empty', () => {
    expect(clean('')).toMatchObject({ rules: [], overrides: [], allowlists: [], usesDefault: false })
  })

  test('with errors gives no config, but every problem', () => {
    const { config, problems } = read(
      `${acme}[[rules]]\nid = "b"\nregex = "("\n[[rules]]\nid = "c"\nentropy = "x"`,
    )
    expect(config).toBeUndefined()
    expect(problems.map(({ line }) => line)).toEqual([6, 7, 9])
  })
})

describe('extending the default rules', () => {
  test('a rule with a new id is a rule, one with a known id changes the default', () => {
    const config = clean(`${useDefault}${acme}[[rules]]\nid = "github-pat"\nentropy = 4\nkeywords = ["K"]`)
    expect(config.usesDefault).toBe(true)
    expect(config.rules.map(({ id }) => id)).toEqual(['acme'])
    expect(config.overrides).toMatchObject([
      { id: 'github-pat', entropy: 4, keywords: ['k'], description: '', secretGroup: 0 },
    ])
    expect(config.overrides[0]?.regex).toBeUndefined()
  })

  test('rules can be disabled', () => {
    expect(clean('[extend]\nuseDefault = true\ndisabledRules = ["github-pat"]').disabledRules).toEqual([
      'github-pat',
    ])
  })

  test('a rule may replace a disabled one', () => {
    const config = clean(
      '[extend]\nuseDefault = true\ndisabledRules = ["github-pat"]\n[[rules]]\nid = "github-pat"\nregex = "x"',
    )
    expect(config.rules.map(({ id }) => id)).toEqual(['github-pat'])
    expect(config.overrides).toEqual([])
    expect(config.disabledRules).toEqual(['github-pat'])
  })

  test('an allowlist may target them', () => {
    const config = clean(`${useDefault}[[allowlists]]\ntargetRules = ["github-pat"]\nstopwords = ["x"]`)
    expect(config.allowlists).toEqual([])
    expect(config.overrides).toMatchObject([{ id: 'github-pat', allowlists: [{ stopwords: ['x'] }] }])
  })
})

describe('extending another file', () => {
  const base = [
    '[[rules]]',
    'id = "acme"',
    'description = "base"',
    'regex = "base_(a)(b)"',
    'path = "p"',
    'secretGroup = 2',
    'entropy = 3.5',
    'keywords = ["one"]',
    'tags = ["t1"]',
    'skipReport = true',
    '[[rules.required]]',
    'id = "helper"',
    '[[rules.allowlists]]',
    'stopwords = ["s1"]',
    '[[rules]]',
    'id = "helper"',
    'regex = "h"',
    '[[allowlists]]',
    'paths = ["base/"]',
  ].join('\n')
  const extendBase = '[extend]\npath = "base.toml"\n'

  test('values override, lists are appended, required and skipReport do not change', () => {
    const own = [
      '[[rules]]',
      'id = "acme"',
      'description = "own"',
      'regex = "own_(a)"',
      'secretGroup = 1',
      'entropy = 2',
      'keywords = ["Two"]',
      'tags = ["t2"]',
      '[[rules.allowlists]]',
      'stopwords = ["s2"]',
      '[[allowlists]]',
      'paths = ["own/"]',
    ].join('\n')
    const config = clean(extendBase + own, { 'base.toml': base })
    const [rule, helper] = config.rules
    expect(rule).toMatchObject({
      id: 'acme',
      description: 'own',
      regex: { source: 'own_(a)' },
      path: { source: 'p' },
      secretGroup: 1,
      entropy: 2,
      keywords: ['one', 'two'],
      tags: ['t1', 't2'],
      allowlists: [{ stopwords: ['s1'] }, { stopwords: ['s2'] }],
      required: [{ id: 'helper' }],
      skipReport: true,
    })
    expect(helper?.id).toBe('helper')
    expect(config.rules).toHaveLength(2)
    expect(config.allowlists.map(({ paths }) => paths[0]?.source)).toEqual(['own/', 'base/'])
  })

  test('values that are not given do not change', () => {
    const { rules } = clean(`${extendBase}[[rules]]\nid = "acme"\nentropy = 1`, { 'base.toml': base })
    expect(rules[0]).toMatchObject({
      description: 'base',
      regex: { source: 'base_(a)(b)' },
      secretGroup: 2,
      entropy: 1,
    })
  })

  test('required and skipReport of the change cause warnings', () => {
    const own = '[[rules]]\nid = "acme"\nskipReport = true\n[[rules.required]]\nid = "helper"'
    const result = read(extendBase + own, { 'base.toml': base })
    expect(result.config?.rules[0]?.required).toEqual([{ id: 'helper' }])
    expect(messagesOf(result)).toEqual([
      '.gitleaks.toml:5: acme: skipReport has no effect in a rule that changes an extended one, as in gitleaks',
      '.gitleaks.toml:6: acme: required has no effect in a rule that changes an extended one, as in gitleaks',
    ])
  })

  test('its rules can be disabled', () => {
    const { rules, disabledRules } = clean('[extend]\npath = "base.toml"\ndisabledRules = ["acme"]', {
      'base.toml': base,
    })
    expect(rules.map(({ id }) => id)).toEqual(['helper'])
    expect(disabledRules).toEqual([])
  })

  test('that extends the default rules, which can be changed and disabled here too', () => {
    const config = clean(
      '[extend]\npath = "mid.toml"\ndisabledRules = ["github-pat"]\n[[rules]]\nid = "generic-api-key"\nentropy = 4',
      {
        'mid.toml': `${useDefault}[[rules]]\nid = "github-pat"\nentropy = 1\n[[rules]]\nid = "generic-api-key"\nentropy = 2\ntags = ["mid"]`,
      },
    )
    expect(config.usesDefault).toBe(true)
    expect(config.disabledRules).toEqual(['github-pat'])
    expect(config.overrides).toMatchObject([{ id: 'generic-api-key', entropy: 4, tags: ['mid'] }])
  })

  test('its allowlists for certain rules apply too', () => {
    const config = clean(`${extendBase}${acme.replaceAll('acme', 'other')}`, {
      'base.toml': `${base}\n[[allowlists]]\ntargetRules = ["other"]\nstopwords = ["x"]`,
    })
    expect(config.rules.find(({ id }) => id === 'other')?.allowlists).toMatchObject([{ stopwords: ['x'] }])
  })

  test('its problems contain its name', () => {
    expect(messagesOf(read(extendBase, { 'base.toml': 'rules = 3' }))).toEqual([
      'base.toml:1: rules must be a list of tables, each written [[rules]], but is 3',
    ])
    expect(messagesOf(read(extendBase))).toEqual(['.gitleaks.toml:2: path cannot be read: is not there'])
  })

  test('two levels are followed, a third causes a warning', () => {
    const level = (next: string, id: string): string =>
      `[extend]\npath = "${next}"\n${acme.replaceAll('acme', id)}`
    const files = { b: level('c', 'second'), c: level('d', 'third'), d: acme.replaceAll('acme', 'fourth') }
    const result = read(level('b', 'first'), files)
    expect(result.config?.rules.map(({ id }) => id)).toEqual(['first', 'second', 'third'])
    expect(messagesOf(result)).toEqual([
      'c:1: extend is not followed here: only two levels of files are, as in gitleaks',
    ])
    expect(clean(level('b', 'first'), { ...files, c: files.d }).rules.map(({ id }) => id)).toEqual([
      'first',
      'second',
      'fourth',
    ])
  })

  test('a file that extends itself terminates', () => {
    const own = `[extend]\npath = "a"\n${acme}`
    expect(read(own, { a: own }).config?.rules.map(({ id }) => id)).toEqual(['acme'])
  })

  test('the loader receives the extending file', () => {
    const requests: [string, string][] = []
    readGitleaksConfig(
      { text: '[extend]\npath = "b"', file: 'a' },
      {
        defaultIds,
        load: (path, from) => {
          requests.push([path, from])
          return path === 'b' ? '[extend]\npath = "c"' : ''
        },
      },
    )
    expect(requests).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ])
  })
})

describe('checks of the merged configuration', () => {
  test.each<[text: string, expected: string[]]>([
    ['[[rules]]\nid = "a"', ['1: a: a rule needs a regex or a path']],
    ['[[rules]]\nid = "a"\nregex = ""', ['1: a: a rule needs a regex or a path']],
    ['[[rules]]\nid = "a"\nregex = 3', ['3: a: regex must be a string, but is 3']],
    ['[[rules]]\nid = "a"\npath = "b"', []],
    [`${acme}secretGroup = 2`, ['4: acme: secretGroup is 2, but the regex has 1 group']],
    [`${acme}secretGroup = 1`, []],
    [
      `${useDefault}[[rules]]\nid = "github-pat"\nregex = "x"\nsecretGroup = 1`,
      ['6: github-pat: secretGroup is 1, but the regex has 0 groups'],
    ],
    [
      `${useDefault}[[rules]]\nid = "github-pat"\nsecretGroup = 1`,
      ['5: github-pat: secretGroup has no effect here: the default rule of this id has no groups'],
    ],
    [
      `${useDefault}[[rules]]\nid = "github-patt"\nentropy = 1`,
      ['4: github-patt: has no effect: no default rule has this id; did you mean "github-pat"?'],
    ],
    [
      `${acme}[[rules.required]]\nid = "acne"`,
      ['4: acme: requires "acne", but no rule of the file with a pattern has this id; did you mean "acme"?'],
    ],
    [`${acme}[[rules.required]]\nid = "acme"`, []],
    [
      `${useDefault}${acme}[[rules.required]]\nid = "github-pat"`,
      ['6: acme: requires "github-pat", but no rule of the file with a pattern has this id'],
    ],
    [
      `${useDefault}${acme}[[rules.required]]\nid = "github-pat"\n[[rules]]\nid = "github-pat"\nregex = "x"`,
      [],
    ],
    [
      `${acme}[[allowlists]]\npaths = ["x"]\ntargetRules = ["acme",\n"acne"]`,
      ['7: targetRules names "acne", but no rule has this id; did you mean "acme"?'],
    ],
    [`${acme}[[allowlists]]\npaths = ["x"]\ntargetRules = ["acme"]`, []],
    [
      `${acme}[[allowlists]]\npaths = ["x"]\ntargetRules = ["github-pat"]`,
      ['6: targetRules names "github-pat", but no rule has this id'],
    ],
    [
      `${useDefault}[[allowlists]]\npaths = ["x"]\ntargetRules = ["github-pet"]`,
      ['5: targetRules names "github-pet", but no rule has this id; did you mean "github-pat"?'],
    ],
    [
      '[extend]\nuseDefault = true\ndisabledRules = ["github-pat",\n"gitlab-pat"]',
      ['4: disabledRules names "gitlab-pat", but no extended rule has this id; did you mean "github-pat"?'],
    ],
    [
      '[extend]\ndisabledRules = ["github-pat"]',
      ['2: disabledRules names "github-pat", but no extended rule has this id'],
    ],
  ])('%j', (text, expected) => {
    expect(messagesOf(read(text))).toEqual(expected.map((message) => `.gitleaks.toml:${message}`))
  })

  test('an unknown id is not an error when extending the default rules: gitleaks may have such a rule', () => {
    const unknown = 'entropy = 1\n[[allowlists]]\npaths = ["x"]\ntargetRules = ["sumologic-access-id"]'
    const withDefault = read(`${useDefault}[[rules]]\nid = "sumologic-access-id"\n${unknown}`)
    expect(withDefault.problems).toEqual([])
    expect(withDefault.warnings).toHaveLength(2)
    expect(withDefault.config).toMatchObject({ rules: [], overrides: [] })
    expect(read(`[[rules]]\nid = "sumologic-access-id"\n${unknown}`).problems).toHaveLength(2)
  })
})

test('for any files, a config without problems has only rules that can match', () => {
  const block = fc.constantFrom(
    acme,
    useDefault,
    '[extend]\npath = "b"\ndisabledRules = ["acme", "github-pat"]\n',
    '[[rules]]\nid = "acme"\nentropy = 2\n',
    '[[rules]]\nid = "github-pat"\nentropy = 2\n',
    '[[rules]]\nid = "github-pat"\nregex = "(x)"\nsecretGroup = 1\n',
    '[[rules.required]]\nid = "acme"\n',
    '[[allowlists]]\ntargetRules = ["acme", "github-pat"]\npaths = ["x"]\n',
    '[[allowlists]]\nstopwords = ["x"]\n',
    '[[rules]]\nid = "c"\nregex = "(?<=a)"\n',
  )
  const file = fc.uniqueArray(block, { maxLength: 5 }).map((blocks) => blocks.join(''))
  let accepted = 0
  fc.assert(
    fc.property(file, file, (text, b) => {
      const { config, problems } = read(text, { b })
      expect(config === undefined).toBe(problems.length > 0)
      if (config === undefined) return
      accepted++
      for (const rule of config.rules) {
        expect(rule.regex ?? rule.path).toBeDefined()
        expect(rule.secretGroup).toBeLessThanOrEqual(rule.regex?.groupCount ?? 0)
      }
      for (const { id } of config.overrides) {
        expect(config.usesDefault && defaultIds.has(id) && !config.disabledRules.includes(id)).toBe(true)
      }
      const ids = [...config.rules, ...config.overrides].map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }),
    { numRuns: 500, seed: 13 },
  )
  expect(accepted).toBeGreaterThan(100)
})

describe('the page on the format', () => {
  const page = readFileSync(new URL('../../../../docs/reference/gitleaks.md', import.meta.url), 'utf8')
  const blocks = codeBlocks(page)
  const file = (path: string): string => blocks.find((block) => block.path === path)?.text ?? ''

  test('shows a file that is read without warnings', () => {
    const text = file('.gitleaks.toml')
    const { config, problems, warnings } = readGitleaksConfig(
      { text, file: '.gitleaks.toml' },
      { defaultIds: new Set(['generic-api-key', 'sumologic-access-id']), load: () => '' },
    )
    expect([...problems, ...warnings]).toEqual([])
    expect(config?.rules.map(({ id }) => id)).toEqual(['acme-token'])
  })

  test('lists every key', () => {
    for (const { keys } of Object.values(tableShapes)) {
      expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(page))).toEqual([])
    }
  })
})
