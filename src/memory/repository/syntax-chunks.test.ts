import { expect, test } from 'vitest'

import { findGrammars } from './grammars.ts'
import { syntaxChunks, type SyntaxNode } from './syntax-chunks.ts'

/** A node as tree-sitter returns it, reduced to what is used. */
function node(
  type: string,
  first: number,
  last: number,
  parts: { name?: string; children?: SyntaxNode[] } = {},
): SyntaxNode {
  const { name, children = [] } = parts
  return {
    type,
    text: type === 'identifier' ? (name ?? '') : '…',
    namedChildCount: children.length,
    namedChildren: children,
    startPosition: { row: first - 1 },
    endPosition: { row: last - 1, column: 9 },
    childForFieldName: (field) =>
      field === 'name' && name !== undefined && type !== 'identifier'
        ? node('identifier', first, first, { name })
        : field === 'body'
          ? (children.find((child) => child.type === 'body') ?? null)
          : null,
  }
}

const shown = (lines: number, children: SyntaxNode[]): string[] =>
  syntaxChunks(
    Array.from({ length: lines }, (_, at) => `line ${at + 1}`),
    node('program', 1, lines, { children }),
  ).map(({ firstLine, lastLine, name }) => `${firstLine}-${lastLine} ${name}`.trim())

test('a function is a chunk with its preceding comment; small declarations are combined', () => {
  expect(
    shown(31, [
      node('import_statement', 1, 1),
      node('import_statement', 2, 2),
      node('const', 4, 4, { name: 'limit' }),
      node('comment', 6, 6),
      node('comment', 7, 7),
      node('function', 8, 20, { name: 'load' }),
      node('function', 22, 24, { name: 'one' }),
      node('function', 26, 28, { name: 'two' }),
      node('comment', 31, 31),
    ]),
  ).toEqual(['1-5 limit', '6-21 load', '22-31 one, two'])
})

test('a long declaration is split at its members', () => {
  const methods = Array.from({ length: 10 }, (_, at) =>
    node('method', 2 + at * 10, 11 + at * 10, { name: `m${at}` }),
  )
  const body = node('body', 1, 102, { children: methods })
  const chunks = shown(102, [node('class', 1, 102, { name: 'Box', children: [body] })])
  expect(chunks).toHaveLength(11)
  expect(chunks.slice(0, 3)).toEqual(['1-1 Box', '2-11 Box.m0', '12-21 Box.m1'])
})

test('a long declaration without members is split by lines', () => {
  const chunks = shown(130, [node('function', 1, 130, { name: 'table' })])
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.every((chunk) => chunk.endsWith(' table'))).toBe(true)
})

test('two declarations on one line stay together', () => {
  expect(shown(1, [node('a', 1, 1, { name: 'a' }), node('b', 1, 1, { name: 'b' })])).toEqual(['1-1 a'])
})

const grammars = findGrammars()

test.runIf(grammars !== undefined).for([
  ['typescript', 'export class Box {\n  open(): void {}\n}\nexport const lid = () => 1\n', 'Box, lid'],
  ['python', '@cached\ndef load(x):\n    return x\n\nclass Box:\n    pass\n', 'load, Box'],
  ['go', 'package main\n\ntype Box struct{}\n\nfunc (b *Box) Open() {}\n', 'Box, Open'],
  ['rust', 'pub fn load() {}\nimpl Box { fn open(&self) {} }\n', 'load, Box'],
  ['java', 'class Box { void open() {} }\ninterface Lid {}\n', 'Box, Lid'],
  ['cpp', 'int load(int x) { return x; }\nstruct Box { int a; };\n', 'load, Box'],
  ['c-sharp', 'class Box { void Open() {} }\n', 'Box'],
  ['ruby', 'def load(x)\n  x\nend\n\nclass Box\nend\n', 'load, Box'],
  ['php', '<?php\nfunction load($x) { return $x; }\n', 'load'],
  ['bash', 'load() {\n  echo hi\n}\n', 'load'],
] as const)('parses %s', async ([language, text, names]) => {
  const lines = text.split('\n')
  const chunks = await grammars!.parse(language, text, (root) => syntaxChunks(lines, root))
  expect(chunks!.map(({ name }) => name).join('; ')).toBe(names)
})

test.runIf(grammars !== undefined)('parses invalid programs, and reports unsupported languages', async () => {
  const parse = (language: string, text: string): Promise<unknown> =>
    grammars!.parse(language, text, (root) => syntaxChunks(text.split('\n'), root))
  expect(await parse('typescript', '((((\u0000 ))) {{{ "')).toHaveLength(1)
  expect(await parse('cobol', 'x')).toBeUndefined()
})

test('returns no grammars without the package', () => {
  const load = Object.assign(() => ({}), {
    resolve: () => {
      throw new Error('Cannot find module')
    },
  })
  expect(findGrammars(load as never)).toBeUndefined()
})
