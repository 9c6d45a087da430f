/** What a model sees of our answers: text that it can quote exactly, and no more tokens than that needs. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { renderData } from '../../src/stages/budget/render-data.ts'
import { pluginTool, runClaude, withPlugin } from './claude-code.ts'
import { makePlace, type ClientRun, type Place } from './client-run.ts'
import { pluginThatAsksForData } from './hook-free-plugin.ts'
import { makeOpencodePlace, opencodeTool, runOpencode } from './opencode.ts'
import { found, type ToolUse, type Turn } from './scripted-model.ts'

interface TestedClient {
  readonly tool: (name: string) => string
  makePlace(): Place | Promise<Place>
  run(place: Place, main: readonly Turn[]): Promise<ClientRun>
}

const clients: Readonly<Record<string, TestedClient>> = {
  'Claude Code': {
    tool: pluginTool,
    makePlace,
    run: (place, main) => runClaude(place, { main }, withPlugin),
  },
  OpenCode: {
    tool: opencodeTool,
    makePlace: () => makeOpencodePlace(),
    run: (place, main) => runOpencode(place, { main }),
  },
}

/** Quotes of all kinds, tabs, backslashes, and Windows line ends. */
const tricky = [
  'const path = "C:\\\\temp\\\\new";',
  "\tconst said = 'it\\'s \"quoted\"'",
  '\t\treturn `${path}\\n\\t` // ✓ \\u0041',
  '{"json": "{\\"inner\\": [1]}"}',
  '',
].join('\r\n')

describe.each(Object.entries(clients))('%s', (_, client) => {
  const use = (id: string, name: string, input: JsonObject): ToolUse[] => [
    { id, tool: client.tool(name), input },
  ]

  test('the exact bytes of a file reach the model, which copies a line into an edit', async () => {
    const place = await client.makePlace()
    const path = place.write('project/tricky.ts', tricky)
    const copied = found('(?:^|\\n)2\\t([^\\r\\n]+)')
    const run = await client.run(place, [
      use('read', 'safe_read', { path: 'tricky.ts' }),
      use('edit', 'safe_edit', { path: 'tricky.ts', edits: [{ old: copied, new: "\tconst said = '\\\\'" }] }),
      use('cat', 'safe_bash', { command: 'cat tricky.ts; printf "\\"%s\\"\\n" stderr >&2; exit 3' }),
      use('grep', 'safe_grep', { pattern: 'inner', path: 'tricky.ts' }),
      'done',
    ])
    const lines = tricky.split('\r\n')
    const numbered = lines.slice(0, -1).map((line, index) => `${index + 1}\t${line}`)
    expect(run.saw('read').text).toBe(`${numbered.join('\r\n')}\r`)
    const edited = tricky.replace(lines[1]!, "\tconst said = '\\\\'")
    expect(readFileSync(path, 'utf8')).toBe(edited)
    expect(run.saw('edit').text).toBe("1 replaced\n2\t\tconst said = '\\\\'\r")
    expect(run.saw('cat').text).toBe(`${edited.slice(0, -1)}\n[stderr]\n"stderr"\n[exit code 3]`)
    expect(run.saw('grep').text).toBe(`tricky.ts:4:${lines[3]}`)
  })

  test('a failed tool explains itself in words', async () => {
    const place = await client.makePlace()
    const run = await client.run(place, [use('none', 'safe_read', { path: 5 }), 'done'])
    expect(run.saw('none')).toEqual({
      text: 'INVALID_ARGUMENTS: Some arguments are missing or of the wrong type\n- path: string\nCorrect these fields and retry.',
      isError: true,
    })
  })

  test('where a long answer goes on is in its text', async () => {
    const place = await client.makePlace()
    const text = Array.from({ length: 3000 }, (_one, index) => `"line" ${index}\n`).join('')
    place.write('project/long.log', text)
    const run = await client.run(place, [
      use('cat', 'safe_bash', { command: 'cat long.log' }),
      use('more', 'read_more', { ref: found('read_more (ref_[\\w-]+)'), offset: 20_000 }),
      'done',
    ])
    expect(run.saw('cat').text).toMatch(
      /^"line" 0\n"line" 1\n[^]*\n\[… [\d,]+ lines, about [\d,]+ tokens cut; read_more ref_[\w-]+ offset \d+\]\n[^]*\n"line" 2999$/,
    )
    const [first = ''] = run.saw('more').text.split('\n')
    expect(text.slice(20_000)).toContain(first)
    expect(run.saw('more').text).toMatch(/\n\[more: read_more ref_[\w-]+ offset \d+\]$/)
  })
})

test('Claude Code shows an answer of more than 50,000 characters whole, from any tool', async () => {
  const place = makePlace()
  const lines = Array.from({ length: 800 }, () => `${'-'.repeat(79)}\n`).join('')
  place.write('project/lines.txt', lines)
  place.write('home/.config/contextd/config.toml', '[budget]\nanswer_tokens = 20000\n')
  const use = (id: string, name: string, input: JsonObject): ToolUse[] => [
    { id, tool: pluginTool(name), input },
  ]
  const main = [
    use('read', 'safe_read', { path: 'lines.txt' }),
    use('bash', 'safe_bash', { command: 'cat lines.txt' }),
    'done',
  ]
  const run = await runClaude(place, { main }, withPlugin)
  expect(run.saw('read').text).toMatch(/^1\t-{79}\n[^]*\n800\t-{79}$/)
  expect(`${run.saw('bash').text}\n`).toBe(lines)
})

const source = `import { readFileSync } from 'node:fs'

/** Reads "key: value" lines; a value may be in quotes. */
export function parseSettings(path: string): Record<string, string> {
\tconst settings: Record<string, string> = {}
\tfor (const line of readFileSync(path, 'utf8').split(/\\r?\\n/)) {
\t\tconst [, key, quoted, plain] = /^(\\w+):\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(.*))$/.exec(line) ?? []
\t\tif (key === undefined) continue
\t\tsettings[key] = quoted === undefined ? plain.trim() : JSON.parse(\`"\${quoted}"\`)
\t}
\treturn settings
}

export function printSettings(settings: Record<string, string>): string {
\treturn Object.entries(settings)
\t\t.map(([key, value]) => \`\${key}: "\${value.replaceAll('"', '\\\\"')}"\\n\`)
\t\t.join('')
}
`
const failingTest = `const assert = require('node:assert')
console.log('ok 1 - reads "plain" values')
console.log("ok 2 - reads 'quoted' values")
assert.strictEqual('"a\\tb"', '"a b"', 'not ok 3 - a "tab" stays')
`

/** What an agent does many times a day. */
const measured: readonly (readonly [id: string, tool: string, input: JsonObject])[] = [
  ['read a file', 'safe_read', { path: 'settings.ts' }],
  ['search', 'safe_grep', { pattern: '"|settings', path: 'settings.ts' }],
  ['find files', 'safe_glob', { pattern: '*.{ts,cjs}' }],
  ['run a failing test', 'safe_bash', { command: 'node settings.test.cjs' }],
  [
    'edit',
    'safe_edit',
    {
      path: 'settings.ts',
      edits: [{ old: 'JSON.parse(`"${quoted}"`)', new: "quoted.replaceAll('\\\\\"', '\"')" }],
    },
  ],
  ['write a file', 'safe_write', { path: 'settings.md', content: '# Settings\n\n`key: "value"`\n' }],
]

test('the text costs fewer tokens than the data, with both clients', async () => {
  const seen: Record<string, ClientRun> = {}
  const prepare = (place: Place): Place => {
    place.write('project/settings.ts', source)
    place.write('project/settings.test.cjs', failingTest)
    return place
  }
  const scripted = (tool: (name: string) => string): Turn[] => [
    ...measured.map(([id, name, input]) => [{ id: id.replaceAll(' ', '-'), tool: tool(name), input }]),
    'done',
  ]
  for (const [name, client] of Object.entries(clients)) {
    seen[name] = await client.run(prepare(await client.makePlace()), scripted(client.tool))
  }
  const place = prepare(makePlace())
  seen.data = await runClaude(place, { main: scripted(pluginTool) }, pluginThatAsksForData(place))

  const rows = measured.map(([title]) => {
    const text = (run: string): string => seen[run]!.saw(title.replaceAll(' ', '-')).text
    // This is what Claude Code showed to models until it got only text, and OpenCode all fields of it.
    const json = text('data')
    const { data } = JSON.parse(json) as { data: Json }
    return { title, claude: [json, text('Claude Code')], opencode: [renderData(data), text('OpenCode')] }
  })
  const total = (texts: readonly (readonly string[])[], at: number): number =>
    texts.reduce((sum, pair) => sum + countTokens(pair[at]!), 0)
  const table = [
    ...rows.map(({ title, claude, opencode }) => ({ title, pairs: [[claude], [opencode]] })),
    { title: 'all', pairs: [rows.map(({ claude }) => claude), rows.map(({ opencode }) => opencode)] },
  ].map(({ title, pairs }) => {
    const cells = pairs.flatMap((texts) => {
      const [before, after] = [total(texts, 0), total(texts, 1)]
      return [before, after, (after / before).toFixed(2)]
    })
    return `| ${[title, ...cells].join(' | ')} |`
  })
  if (process.env.CONTEXTD_ANSWERS === 'record') {
    writeFileSync(join('benchmarks', 'answers.md'), `${heading}\n${table.join('\n')}\n`)
  }
  console.log(`${heading}\n${table.join('\n')}`)
  for (const { title, claude, opencode } of rows) {
    expect(countTokens(claude[1]!), title).toBeLessThan(countTokens(claude[0]!))
    expect(countTokens(opencode[1]!), title).toBeLessThanOrEqual(countTokens(opencode[0]!))
    // Both clients show the same text, but for the paths in it.
    expect(opencode[1]!.split('\n').length, title).toBe(claude[1]!.split('\n').length)
  }
})

const heading = `| one call, tokens (o200k) that the model sees | Claude Code before | now | ratio | OpenCode before | now | ratio |
|---|---|---|---|---|---|---|`
