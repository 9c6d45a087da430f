import { expect, test } from 'vitest'

import { clientOf } from './client.ts'

test.each([
  ['as it is', { name: 'tester ü 🙂', version: '1.2' }, { name: 'tester ü 🙂', version: '1.2' }],
  ['nothing said', undefined, { name: 'unknown', version: '' }],
  ['just short enough', { name: 'n'.repeat(100), version: '1' }, { name: 'n'.repeat(100), version: '1' }],
  // If truncated, the name could end in half a secret.
  ['too long', { name: 'n'.repeat(101), version: '1'.repeat(101) }, { name: 'unknown', version: '' }],
  ['control characters', { name: 'a\0b\u001b[2J', version: '\n\u0085' }, { name: 'a�b�[2J', version: '��' }],
  ['half a character', { name: 'a\ud83d', version: '\ude42' }, { name: 'a�', version: '�' }],
])('%s', (_, info, expected) => {
  expect(clientOf(info, 'stdio')).toEqual({ ...expected, door: 'stdio' })
})
