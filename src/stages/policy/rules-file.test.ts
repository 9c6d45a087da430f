import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'

import { checkRulesBytes, testRulesFile } from './rules-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'rules-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(text: string): string {
  const path = join(folder, 'rules.json')
  writeFileSync(path, text)
  return path
}

describe('testRulesFile', () => {
  it('reports nothing for a valid file', () => {
    expect(testRulesFile(file('{"agents": {"a": {}}}')).problems).toEqual([])
  })

  it('reports the problems of an invalid one', () => {
    const path = file('{"agents": {"a": {"alow": 1}}}')
    expect(testRulesFile(path).problems).toEqual([
      {
        file: path,
        line: 1,
        column: 19,
        path: 'agents.a.alow',
        message: 'unknown key "alow"; did you mean "allow"?',
      },
    ])
  })

  it('reports a missing or unreadable file', () => {
    expect(testRulesFile(join(folder, 'absent.json')).problems).toMatchObject([{ message: 'does not exist' }])
    expect(testRulesFile(folder).problems).toMatchObject([{ message: 'is not a regular file' }])
  })

  it('reports every example', () => {
    const path = file(
      JSON.stringify({
        agents: { a: { allow: { servers: ['db'] } } },
        examples: { allow: ['a db.query'], deny: ['a api.get', 'a db.drop'] },
      }),
    )
    const { examples, problems } = testRulesFile(path)
    expect(examples).toMatchObject([
      { example: 'a db.query', expected: 'allow', rule: 'agents.a.allow.servers[0]', line: 1 },
      { example: 'a api.get', expected: 'deny', rule: 'agents.a.allow.servers' },
      { example: 'a db.drop', expected: 'deny', problem: { path: 'examples.deny[1]' } },
    ])
    expect(problems).toHaveLength(1)
  })
})

describe('any bytes', () => {
  const words = fc.constantFrom(
    ...'agents a allow deny servers tools * db aliases require attested examples capabilities fs:read'.split(
      ' ',
    ),
    ...'limits args db.x fixed __proto__ constructor toString'.split(' '),
    'a db.x',
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      words,
      fc.constantFrom(null, true, 0, -1, 1.5, ''),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(words, tie('tree'), { maxKeys: 6, noNullPrototype: true }),
    ),
  }))

  it.each([
    ['bytes', fc.uint8Array()],
    ['texts', fc.string({ unit: 'binary' }).map((text) => Buffer.from(text))],
    ['JSON values', fc.json().map((text) => Buffer.from(text))],
    ['rules that are nearly right', tree.map((value) => Buffer.from(JSON.stringify(value)))],
    [
      'agents that are nearly right',
      tree.map((value) => Buffer.from(JSON.stringify({ agents: { a: { allow: value, deny: value } } }))),
    ],
  ])('are rules or a list of problems with positions: %s', (_, inputs) => {
    fc.assert(
      fc.property(inputs as fc.Arbitrary<Uint8Array>, (bytes) => {
        const { rules, problems } = checkRulesBytes(bytes, 'rules.json')
        expect(rules !== undefined || problems.length > 0).toBe(true)
        for (const { line, column, message } of problems) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
          expect(message).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })
})
