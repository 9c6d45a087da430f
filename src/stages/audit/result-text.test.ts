import { expect, test } from 'vitest'

import { answer, failure, refusal, type Result } from '../../core/result.ts'
import { describeError } from '../../core/errors/errors.ts'
import { resultText } from './result-text.ts'

const theirs = (extra: object): Result => ({ kind: 'answer', own: false, content: [], ...extra })

test.each<[string, Result, string]>([
  [
    'text blocks',
    theirs({
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }),
    'a\nb',
  ],
  ['other blocks', theirs({ content: [{ type: 'image', data: 'AA==' }] }), '{"type":"image","data":"AA=="}'],
  [
    'a structured part',
    theirs({ content: [{ type: 'text', text: 'a' }], structured: { b: 1 } }),
    'a\n{"b":1}',
  ],
  ['our own text, which says the same', answer({ b: 1 }, { blocks: [{ type: 'text', text: 'a' }] }), 'a'],
  ['our own data without text', answer({ b: 1 }), '{"data":{"b":1}}'],
  ['a payload', { kind: 'payload', value: { tools: [] } }, '{"tools":[]}'],
  ['questions', { kind: 'input_required', requests: { q: {} } }, '{"q":{}}'],
])('%s', (_, result, expected) => expect(resultText(result)).toBe(expected))

test('renders errors, as values and as answers', () => {
  expect(resultText(refusal('TIMEOUT', { limit_ms: 5 }))).toContain('"code":"TIMEOUT"')
  expect(resultText(failure(describeError('TIMEOUT', { limit_ms: 5 })))).toContain(
    'TIMEOUT: The call took longer',
  )
})
