import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { pruneAutomatic } from './checkpoint-rows.ts'

test('only automatic checkpoints are eventually deleted', () => {
  const store = temporaryStore()
  const body = { name: '', summary: 's', tokens: '{}', files: '{}', branches: '[]', refs: '[]', context: '' }
  const save = (tenant: string, id: string, automatic: number, created_at: number): void =>
    store
      .rows('checkpoints', { tenant, project: '/shop' })
      .insert({ ...body, id, automatic, created_at, state_bytes: 0, state: new Uint8Array() })
  save('local', 'asked', 0, 1)
  save('local', 'old', 1, 1)
  save('local', 'young', 1, 2)
  save('other', 'theirs', 1, 1)
  expect(pruneAutomatic(store, 'local', 2)).toBe(1)
  const left = store.prepare('SELECT id FROM checkpoints ORDER BY id').all()
  expect(left.map(({ id }) => id)).toEqual(['asked', 'theirs', 'young'])
})
