import { expect, test } from 'vitest'

import { jsonStrings, offsetInJson } from './json-strings.ts'
import { readNotebook } from './notebook.ts'

const notebook = {
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Title\n', 'some "words"\n'] },
    {
      cell_type: 'code',
      source: 'key = "äb\\n"\nprint(key)',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] },
        { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': ['<Figure>'] } },
        { output_type: 'execute_result', data: { 'application/json': { password: 'x', list: ['a', 'b'] } } },
        { output_type: 'error', ename: 'KeyError', evalue: 'oh', traceback: ['line 1', 'line 2'] },
      ],
    },
  ],
  metadata: { kernelspec: { name: 'python3' } },
  nbformat: 4,
}

test('cells and outputs as separate texts, without images', () => {
  const parts = readNotebook(JSON.stringify(notebook, null, 1))?.map(({ cell, text }) => [cell, text])
  expect(parts).toEqual([
    [1, 'cell_type: markdown\n'],
    [1, '# Title\nsome "words"\n'],
    [2, 'cell_type: code\n'],
    [2, 'key = "äb\\n"\nprint(key)'],
    [2, 'output_type: stream\nname: stdout\n'],
    [2, 'one\ntwo\n'],
    [2, 'output_type: display_data\n'],
    [2, '<Figure>'],
    [2, 'output_type: execute_result\n'],
    [2, 'password: x\n'],
    [2, 'a\nb\n'],
    [2, 'output_type: error\nename: KeyError\n'],
    [2, 'oh'],
    [2, 'line 1\nline 2\n'],
    [undefined, 'name: python3\n'],
  ])
})

test('every character of a text maps to its offset in the file', () => {
  for (const indent of [0, 1]) {
    const document = JSON.stringify(notebook, null, indent)
    for (const { text, locate } of readNotebook(document) ?? []) {
      for (const word of text.match(/\w{2,}/g) ?? []) {
        const at = locate(text.indexOf(word))
        if (!/^(?:cell_type|output_type|name|ename|password)$/.test(word)) {
          expect(document.slice(at, at + word.length)).toBe(word)
        }
      }
    }
  }
})

test.each([
  ['no JSON', '{"cells": ['],
  ['no notebook', '{"cellar": []}'],
  ['no object', '[]'],
  ['nothing', ''],
  ['nested too deeply', `{"cells": [${'['.repeat(200)}${']'.repeat(200)}]}`],
])('%s is not a notebook', (_, text) => {
  expect(readNotebook(text)).toBeUndefined()
})

test('strings of a document, with their escapes', () => {
  const document = String.raw`{"a": ["x\u0041\"\\", {"b": "\\\\"}], "c\n": "", "d": 1, "e": [[], "last"]}`
  const strings = jsonStrings(document) ?? []
  expect(strings.map(({ path, value }) => [path, value])).toEqual([
    [['a', 0], 'xA"\\'],
    [['a', 1, 'b'], '\\\\'],
    [['c\n'], ''],
    [['e', 1], 'last'],
  ])
  const [first] = strings
  expect(
    [0, 1, 2, 3].map((index) => document.slice(offsetInJson(document, first!, index)).slice(0, 2)),
  ).toEqual(['x\\', '\\u', '\\"', '\\\\'])
})
