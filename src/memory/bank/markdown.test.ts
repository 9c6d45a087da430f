import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { confidenceOf } from './confidence.ts'
import { fromJsonLine, toJsonLine, type ParsedLine, type PortableMemory } from './jsonl.ts'
import { fromMarkdown, readMemoryMarkdown, toMarkdown } from './markdown.ts'
import { outcomes } from './memory.ts'

const defaults = { project: '/work/shop', agent: 'operator', session: 's1', now: 1_700_000_000_000 }

const read = (parsed: ParsedLine): PortableMemory => {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}
const problemsOf = (parsed: ParsedLine): string[] =>
  parsed.ok ? [] : parsed.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)

/** Any text the bank would accept. */
const someText = (most: number) =>
  fc.string({ unit: 'grapheme', maxLength: most }).map((text) => text.replaceAll(/\p{Cc}/gu, ' '))
const lines = fc
  .array(fc.oneof(someText(20), fc.constantFrom('', '---', '- item', 'key: value', '\r', '\t"', '\u2028')), {
    maxLength: 6,
  })
  .map((parts) => parts.join('\n'))
const filled = (text: fc.Arbitrary<string>) => text.filter((value) => value.trim() !== '')
const word = fc.stringMatching(/^[\w-]{1,20}$/)
const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
// JSON has no negative zero.
const evidence = fc.double({ min: 0, max: 1e6, noNaN: true }).map((count) => count + 0)

const anyMemory: fc.Arbitrary<PortableMemory> = fc
  .record(
    {
      id: word,
      title: filled(someText(40)),
      description: filled(lines),
      content: filled(lines),
      outcome: fc.constantFrom(...outcomes),
      task: lines,
      tags: fc.array(filled(someText(10)), { maxLength: 4 }),
      scope: fc.constantFrom('project', 'user'),
      project: word,
      agent: word,
      session: word,
      sources: fc.array(word, { maxLength: 3 }),
      helped: evidence,
      misled: evidence,
      created: time,
      changed: time,
      branch: word,
      used: time,
      mergedInto: word,
      tokensOf: word,
    },
    {
      requiredKeys: [
        'id',
        'title',
        'description',
        'content',
        'outcome',
        'task',
        'tags',
        'scope',
        'project',
        'agent',
        'session',
        'sources',
        'helped',
        'misled',
        'created',
        'changed',
      ],
    },
  )
  .map(({ helped, misled, tokensOf, ...said }) => {
    const counts = { helped, misled }
    const memory = { ...said, evidence: counts, confidence: confidenceOf(counts) }
    return tokensOf === undefined ? { memory } : { memory, tokensOf }
  })

describe('a memory survives a round trip', () => {
  test('through Markdown', () => {
    fc.assert(
      fc.property(anyMemory, (portable) => {
        expect(read(fromMarkdown(toMarkdown(portable), 'x.md', defaults))).toEqual(portable)
      }),
    )
  })

  test('through JSON lines', () => {
    fc.assert(
      fc.property(anyMemory, (portable) => {
        const line = toJsonLine(portable)
        expect(line).not.toMatch(/[\n\r\u2028\u2029\u009B]/)
        expect(read(fromJsonLine(line, { file: 'x.jsonl', line: 1 }, defaults))).toEqual(portable)
      }),
    )
  })

  test('and the test would notice a difference', () => {
    const [portable] = fc.sample(anyMemory, { numRuns: 1, seed: 1 })
    const { memory } = portable!
    const other = { ...portable!, memory: { ...memory, content: `${memory.content}!` } }
    expect(read(fromMarkdown(toMarkdown(other), 'x.md', defaults))).not.toEqual(portable)
  })
})

describe('a Markdown file', () => {
  test('is readable for people', () => {
    const text = toMarkdown({
      memory: {
        id: 'mem_1',
        title: 'Wait for the port',
        description: 'For tests that start a server.',
        content: 'Ask the port until it answers.',
        outcome: 'success',
        task: '',
        tags: ['tests', 'flaky'],
        scope: 'project',
        project: '/work/shop',
        agent: 'main',
        session: 's1',
        sources: [],
        evidence: { helped: 4, misled: 1 },
        confidence: 0.8,
        created: 0,
        changed: 0,
      },
    })
    expect(text).toBe(`---
id: mem_1
title: "Wait for the port"
description: "For tests that start a server."
outcome: success
task: ""
tags: ["tests","flaky"]
scope: project
project: "/work/shop"
agent: main
session: s1
sources: []
helped: 4
misled: 1
created: "1970-01-01T00:00:00.000Z"
changed: "1970-01-01T00:00:00.000Z"
---

Ask the port until it answers.
`)
  })

  const byHand = `---
title: Wait for the port, "not" a second
description: 'For tests; it''s not for production.'
outcome: failure
tags:
  - tests
  - flaky
# a remark
confidence: 0.6
---
Ask the port.
`

  test('written by hand needs no quotes, id or optional fields', () => {
    const { memory, tokensOf } = read(fromMarkdown(byHand, 'x.md', defaults))
    expect(tokensOf).toBeUndefined()
    expect(memory).toEqual({
      id: expect.stringMatching(/^mem_[0-9a-f]{24}$/),
      title: 'Wait for the port, "not" a second',
      description: "For tests; it's not for production.",
      content: 'Ask the port.',
      outcome: 'failure',
      task: '',
      tags: ['tests', 'flaky'],
      scope: 'project',
      project: '/work/shop',
      agent: 'operator',
      session: 's1',
      sources: [],
      evidence: { helped: 3, misled: 2 },
      confidence: 0.6,
      created: defaults.now,
      changed: defaults.now,
    })
    expect(
      read(
        fromMarkdown(byHand.replace('tags:\n  - tests\n  - flaky', 'tags: tests, flaky'), 'x.md', defaults),
      ).memory,
    ).toEqual(memory)
  })

  test('without an id always gets the same one, and a different one for other content', () => {
    const id = (text: string): string => read(fromMarkdown(text, 'x.md', { ...defaults, now: 5 })).memory.id
    expect(id(byHand)).toBe(read(fromMarkdown(byHand, 'y.md', defaults)).memory.id)
    expect(id(byHand.replace('Ask the', 'Watch the'))).not.toBe(id(byHand))
  })

  test('may have been saved by an editor on Windows', () => {
    const there = `\uFEFF${byHand.replaceAll('\n', '\r\n')}`
    expect(read(fromMarkdown(there, 'x.md', defaults))).toEqual(read(fromMarkdown(byHand, 'x.md', defaults)))
  })

  test('is rejected with a message per line', () => {
    const wrong = (text: string): string[] => problemsOf(fromMarkdown(text, 'x.md', defaults))
    expect(wrong(byHand)).toEqual([])
    expect(wrong('# A README\n')).toEqual([expect.stringMatching(/^1 \$: expected a line "---"/)])
    expect(wrong(byHand.replace('failure', 'sucess'))).toEqual([
      '4 outcome: not a valid value; did you mean "success"?',
    ])
    expect(wrong(byHand.replace('outcome', 'outcom'))).toEqual([
      '1 outcome: not a valid value; valid are success, failure',
      '4 outcom: unknown key "outcom"; did you mean "outcome"?',
    ])
    expect(wrong(byHand.replace('# a remark', 'a remark'))).toEqual([
      '8 $: expected a name, a colon and a value',
    ])
    expect(wrong(byHand.replace('# a remark', 'title: again'))).toEqual(['8 title: duplicate key'])
    expect(wrong(byHand.replace('Ask the port.', ' '))).toEqual([
      '11 content: expected text that is not empty',
    ])
    expect(wrong(byHand.replace('Ask', 'A\u001B[2Jsk'))).toEqual([
      '11 content: expected text without binary or control characters',
    ])
    expect(wrong(byHand.replace('- flaky', `- ${'x'.repeat(51)}`))).toEqual([
      '5 tags: expected at most 50 characters',
    ])
    expect(wrong(byHand.replace('# a remark', '__proto__: x'))).toHaveLength(1)
  })
})

describe('a JSON line', () => {
  const wrong = (text: string): string[] =>
    problemsOf(fromJsonLine(text, { file: 'x.jsonl', line: 7 }, defaults))
  const fine = { title: 'a', description: 'b', content: 'c', outcome: 'success' }

  test('is rejected with the position, but without its content', () => {
    expect(wrong(JSON.stringify(fine))).toEqual([])
    expect(wrong('{"title": ')).toEqual([expect.stringMatching(/^7 /)])
    expect(wrong('[]')).toEqual([expect.stringMatching(/^7 \$: expected an object/)])
    expect(wrong(JSON.stringify({ ...fine, created: 'yesterday' }))).toEqual([
      '7 created: expected a time such as 2026-11-15T09:30:00Z',
    ])
    expect(wrong(JSON.stringify({ ...fine, title: 'x'.repeat(201) }))).toEqual([
      '7 title: expected at most 200 characters',
    ])
    expect(wrong(JSON.stringify({ ...fine, content: 'a\0b' }))).toHaveLength(1)
    expect(wrong(JSON.stringify({ ...fine, project: 'a\nb' }))).toHaveLength(1)
    expect(wrong(JSON.stringify({ ...fine, id: '../../etc' }))).toHaveLength(1)
    expect(wrong(JSON.stringify({ ...fine, helped: -1 }))).toHaveLength(1)
    expect(wrong(`{"__proto__": {"x": 1}, ${JSON.stringify(fine).slice(1)}`)).toHaveLength(1)
  })
})

test('a line full of spaces is parsed quickly', () => {
  const text = `---\ntitle: t\ndescription: d\noutcome: success\ntags: a ${' '.repeat(2_000_000)} b , c\n---\n\nx\n`
  const read = readMemoryMarkdown(text, 'x.md')
  expect(read.ok && (read.fields.tags as string[]).map((tag) => tag.length)).toEqual([2_000_004, 1])
})
