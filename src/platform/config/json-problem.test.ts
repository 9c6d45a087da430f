import { expect, it } from 'vitest'

import { formatJsonPath } from '@contextd/shared/json/json-path'
import { fileProblem, formatProblem, invalidFile, placeProblem } from './json-problem.ts'
import { parseJson } from '@contextd/shared/json/json-source'

it('locates the problem, or the object that lacks a key', () => {
  const source = parseJson('{\n  "a": {\n    "b": 1\n  }\n}')
  if (!source.ok) throw new Error('no JSON')
  const at = (path: string[], part: 'key' | 'value') =>
    placeProblem({ path, part, message: 'x' }, source, 'f')
  expect(at(['a', 'b'], 'key')).toEqual({ file: 'f', line: 3, column: 5, path: 'a.b', message: 'x' })
  expect(at(['a', 'b'], 'value')).toMatchObject({ line: 3, column: 10 })
  expect(at(['a', 'c', 'd'], 'value')).toMatchObject({ line: 2, column: 8, path: 'a.c.d' })
})

it('formats paths readably', () => {
  expect(formatJsonPath([])).toBe('$')
  expect(formatJsonPath(['a-b', 'c.d', 0, 'e'])).toBe('a-b["c.d"][0].e')
})

it('combines several problems into one error', () => {
  const problems = [fileProblem('f', 'is odd'), { ...fileProblem('f', 'y'), line: 3, path: 'a' }]
  const error = invalidFile('SERVERS_INVALID', problems)
  expect(error.message).toBe('f:1:1: is odd (and 1 more)')
  expect(error.details).toMatchObject({ file: 'f', line: 1, problems: [{}, { path: 'a' }] })
  expect(problems.map(formatProblem)).toEqual(['f:1:1: is odd', 'f:3:1: a: y'])
})
