import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { growthOf } from '@contextd/shared/testing/pattern-growth'
import { patternsBelow, patternsIn, type SourcePattern } from '@contextd/shared/testing/source-patterns'

/** Repeats of at least this length count as unbounded when the work per character is estimated. */
const longRepeat = 17

/** Linear in the text, with at most one long repeat per character. */
function isSafe({ source, flags }: { readonly source: string; readonly flags: string }): boolean {
  return growthOf(source, flags) <= 1 && growthOf(source, flags, longRepeat) <= 2
}

/** Patterns without a proof, each with the reason why it is harmless. */
const excused: Readonly<Record<string, string>> = {
  'src/clients/claude-code/hooks/shell-words.ts /\\[[!^]?\\]?(?:\\[[:.=][^\\]]*[:.=]\\]|\\\\.|\'[^\']*\'|"[^"]*"|[^\\]\\s/\\\\\'"]){0,1024}\\]/sy':
    'both ways to continue reach a `]`, which ends the match',
  'packages/permissions/src/claude-code/read/frontmatter.ts /^---(?=(\\s*\\n))\\1([^]*?)---\\s*\\n?/':
    'the gap is matched atomically: a reference to a lookahead does not backtrack',
  'packages/permissions/src/shell/hindrances.ts /\\/proc\\/.*\\/environ/':
    'commands longer than 10,000 characters are not matched',
  'packages/scrub/src/assignments/read.ts /^["\'\\\\]*\\s*,?\\s{0,40}["\'\\\\]*(?:value|val|parametervalue|defaultvalue|content)["\'\\\\]*\\s?[:=]\\s{0,4}/i':
    'reads 128 characters',
  'packages/scrub/src/gitleaks/pattern-refusal.ts /\\\\Q[^]*?(?:\\\\E|$)|\\\\[^]|\\[\\^?\\]?(?:\\[:\\^?\\w+:\\]|\\\\[^]|[^\\]\\\\])*\\]|[()]/g':
    'reads one pattern of a rules file, when the file is loaded',
  'packages/scrub/src/known/known-strength.ts /^v?\\d+(?:\\.\\d+)+(?:[-+.][a-z0-9]{1,8})*$/i':
    'reads 256 characters',
  'src/stages/scrub/private-context/identifiers.ts /[\\p{L}\\p{N}][\\p{L}\\p{N}._%+-]*@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+/gu':
    "reads one line of the user's own private file",
  'src/stages/scrub/private-context/identifiers.ts /(`+)(.+?)\\1/g':
    "reads one line of the user's own private file",
  'src/stages/scrub/private-context/identifiers.ts /!?\\[([^\\][]*)\\]\\(\\s*<?([^\\s)>]*)(?:[\\s>][^)]*)?\\)|<((?:https?|mailto):[^>\\s]+)>/g':
    "reads one line of the user's own private file",
  "src/stages/scrub/private-context/identifiers.ts /\\p{Lu}[\\p{L}\\p{M}’'-]+(?:[ \\t]+\\p{Lu}[\\p{L}\\p{M}’'-]+)+/gu":
    "reads one line of the user's own private file",
  'src/stages/scrub/private-context/identifiers.ts /\\s*[,;|]\\s*|\\s\\/\\s|\\sand\\s(?=[^,]*$)/':
    "reads one line of the user's own private file",
  'src/stages/scrub/private-context/identifiers.ts /\\p{Lu}+(?![\\p{Ll}])|\\p{Lu}?[\\p{Ll}\\p{M}\\p{Lo}]+|\\d+/gu':
    "reads one line of the user's own private file",
  'src/stages/scrub/private-context/identifiers.ts /[\\p{L}\\p{N}][\\p{L}\\p{N}_.:/-]*[\\p{L}\\p{N}]/gu':
    "reads one line of the user's own private file",
  'src/tools/upstream/definitions/plain-letters.ts /\\b[a-z](?:(?: {1,3}|[._*-])[a-z]\\b){7,}/g':
    'it may end at every letter, so it backtracks by one at most',
  'src/tools/upstream/definitions/suspicious-text.ts /<!--[^>]{0,20}[\\p{L}]+\\s[^>]{0,40}[\\p{L}]+\\s|<\\/?\\s?(?:IMPORTANT|CRITICAL|SYSTEM|INSTRUCTIONS?|MANDATORY|OVERRIDE|URGENT|SECRET_INSTRUCTIONS?)\\b[^>]{0,40}>|<\\/(?:important|critical|system|system[-_]prompt|system[-_]reminder|instructions?|mandatory|override|urgent|secret|hidden|assistant|user|admin|developer)>|<\\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\\|>|\\[\\/?INST\\]|<<SYS>>|display:\\s?none|font-size:\\s?0/u':
    'reads one field of a tool, whose length is limited',
  'src/tools/upstream/fnmatch.ts /\\[!?\\]?[^\\]]*\\]|[^]/g': "reads one name of the user's rules",
}

/** Patterns built at run time, with their parts. */
const madeOf: Readonly<Record<string, string>> = {
  'src/cli/quick/config-value.ts new RegExp(schema.pattern)':
    'a pattern of our own configuration schema, which is a literal elsewhere',
  "src/clients/claude-code/hooks/guarded-places.ts new RegExp(`[${UNKNOWN}${STAR}${ONE}]`, 'g')":
    'a class of three characters',
  'packages/permissions/src/claude-code/explain/hook-match.ts new RegExp(matcher)':
    'few repeats and none inside another, on the name of a tool; all others run under a deadline',
  'packages/permissions/src/claude-code/lint/hooks/answers.ts new RegExp(`\\\\b${name}\\\\b[\\\\\\\\\'"\\`]*\\\\s*(?::|=>|=)\\\\s*${value}`)':
    'two of our words',
  'packages/permissions/src/claude-code/lint/hooks/dead-matchers.ts new RegExp(text)':
    'is compiled and never run',
  'packages/permissions/src/claude-code/lint/hooks/in-force.ts new RegExp(`(?:^|[\\\\s/\'"])contextd(?:\\\\.js)?[\'"]?\\\\s+hook\\\\s+${name}(?:\\\\s|$)`)':
    'the name of one of our hooks',
  "src/clients/init/section.ts new RegExp(mark, 'g')": 'one of our two marks, both literals',
  "packages/permissions/src/files/frontmatter.ts new RegExp(fence, 'd')": 'one of the fences, all literals',
  'packages/permissions/src/files/yaml-source.ts new RegExp(`(?:[-?:][ \\\\t]+){${maxDepth}}`)': 'a number',
  "src/platform/tls/tls-folder.ts new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`, 'g')":
    'one of two labels',
  "src/sandbox/process-tree.ts new RegExp(`^${name}:\\\\s*(\\\\d+) kB$`, 'm')":
    'one of two fields, in what the kernel wrote',
  "src/stages/policy/rules-schema.ts new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`)":
    'the kinds of capabilities',
  'packages/scrub/src/find/compile-rules.ts new RegExp(source, flags)':
    'a built-in rule, proven in rules.test.ts; user rules run on RE2',
  'packages/scrub/src/decode/scan.ts new RegExp(`[\\xad${String.fromCharCode(disguisedCharacter)}]`)':
    'a class of two characters',
  "packages/scrub/src/explain/explain-miss.ts new RegExp(pattern, 'y')":
    'a built-in rule, proven in rules.test.ts',
  "packages/scrub/src/explain/explain-miss.ts new RegExp(pattern, 'd')":
    'a built-in rule, proven in rules.test.ts',
  "packages/scrub/src/find/key-blocks.ts new RegExp(label.replace('(?:BEGIN|END)', 'END'), 'iy')":
    'a literal with one word taken out',
  "src/stages/scrub/private-context/mask.ts new RegExp(`\\\\[PRIVATE\\\\]|${tokenPattern.source}`, 'g')":
    'the pattern of our tokens, which is a literal elsewhere',
  "src/tools/plugins/manifest.ts new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`, 's')":
    'the kinds of capabilities',
  "src/tools/upstream/servers/server-schema.ts new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`)":
    'the kinds of capabilities',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['src', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)]
const patterns = patternsBelow(root, folders)
const names = (all: readonly SourcePattern[]): string[] =>
  [...new Set(all.map(({ name }) => name))].toSorted()

describe('every regular expression of the sources', () => {
  test('is found', () => {
    expect(patterns.length).toBeGreaterThan(1000)
    const text = String.raw`const digit = '\\d'
      export const literal = (text: string): RegExp[] => [/a\/b/g, new RegExp(${'`${digit}+$`'}, 'u'), RegExp(text)]`
    expect(patternsIn('a.ts', text).map(({ name }) => name)).toEqual([
      String.raw`a.ts /a\/b/g`,
      String.raw`a.ts /\d+$/u`,
      'a.ts RegExp(text)',
    ])
  })

  test('runs in linear time, or is excused', () => {
    const unproven = patterns.filter(({ pattern }) => pattern !== undefined && !isSafe(pattern))
    expect(names(unproven)).toEqual(Object.keys(excused).toSorted())
  })

  test('is a literal, or is listed with its parts', () => {
    const unknown = patterns.filter(({ pattern }) => pattern === undefined)
    expect(names(unknown)).toEqual(Object.keys(madeOf).toSorted())
  })
})

test('schemas of other servers are checked only by the linear engine', () => {
  const src = fileURLToPath(new URL('../src', import.meta.url))
  const using = (what: RegExp): string[] =>
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.(?:test|samples)\.ts$/.test(path))
      .filter((path) => what.test(readFileSync(join(src, path), 'utf8')))
      .toSorted()
  const checkers = using(/validators\/(?:ajv|cf-worker)'/)
  expect(checkers).toEqual(['tools/plugins/input-schema.ts', 'tools/upstream/argument-check.ts'])
  expect(using(/\bloadMakeLinear\(\)/)).toEqual(['tools/linear-schema.ts', ...checkers])
  // The SDK's own client and questions would check with the engine of the host.
  expect(
    using(/[{,]\s*Client\b[^;']*'@modelcontextprotocol\/client'|new McpServer\(|\.elicitInput\(/),
  ).toEqual([])
})

describe('the proof', () => {
  test.each([
    ['a nested repeat', '^(a+)+$', Infinity],
    ['two characters that may be equal', String.raw`^(.)\1*(.)(?:\1|\2)*$`, Infinity],
    ['overlapping branches', '^(?:a|ab|b)*c', Infinity],
    ['lengths with a common multiple', '^(?:a{2}|a{3})*$', Infinity],
    ['adjacent repeats', '^a*a*b', 2],
    ['three adjacent repeats', '^a*[ab]*a*c', 3],
    ['a start at every character', 'a+b', 2],
    ['blanks at the end', String.raw`\s+$`, 2],
    ['a lookahead that continues', '^(?:a(?=a*b))*', 2],
    ['a missing optional end', 'a(?:a*c)?', 2],
  ])('estimates the work for %s', (_, pattern, growth) => {
    expect(growthOf(pattern)).toBe(growth)
  })

  test.each([
    ['an anchor', '^a+b', ''],
    ['nothing that can fail', '(?:a*)*', ''],
    ['everything up to the end', ':.*$', 's'],
    ['a start only at the first of a run', String.raw`(?<!\s)\s+$`, ''],
    ['a boundary between the repeats', '^a+,a+$', ''],
    ['a repeat that stops where the next begins', String.raw`^\s*(?!\s).*$`, ''],
    ['a position fixed by the last match', 'a+b', 'y'],
  ])('recognises %s as harmless', (_, pattern, flags) => {
    expect(growthOf(pattern, flags)).toBe(1)
  })

  test('counts long repeats separately', () => {
    expect(growthOf('^a{0,500}a{0,500}a{0,500}b', '', longRepeat)).toBe(3)
    expect(growthOf('^a{0,9}a{0,9}a{0,9}b', '', longRepeat)).toBe(1)
  })

  test('rejects an unbounded lookbehind', () => {
    expect(() => growthOf('(?<=a*)b')).toThrow('endless look-behind')
  })
})
