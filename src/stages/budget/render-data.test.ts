import { expect, test } from 'vitest'

import { renderData } from './render-data.ts'

test('single values are rendered as themselves', () => {
  expect(renderData('two\nlines')).toBe('two\nlines')
  expect(renderData(7)).toBe('7')
  expect(renderData(null)).toBe('null')
})

test('fields are lines, multi-line text is a block', () => {
  expect(
    renderData({
      exit_code: 0,
      stdout: 'a\nb\n',
      empty: '',
      killed: false,
      limits: { cpu: 1, memory: { mb: 64 } },
    }),
  ).toBe('exit_code: 0\nstdout:\na\nb\n\nempty: \nkilled: false\nlimits.cpu: 1\nlimits.memory.mb: 64')
})

test('array items are lines, unless they need several', () => {
  expect(renderData([{ path: 'a.ts', line: 3 }, 'plain', { text: 'two\nlines' }, [1, 2]])).toBe(
    '- path: a.ts, line: 3\n- plain\n-\ntext:\ntwo\nlines\n-\n- 1\n- 2',
  )
  expect(renderData({ files: ['a', 'b'], none: [], nothing: {} })).toBe(
    'files:\n- a\n- b\nnone: []\nnothing: {}',
  )
})
