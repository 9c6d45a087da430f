import { describe, expect, onTestFinished, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { testVectorIndex, unit } from '../../../test/support/vector-suite.ts'
import { openStore, type Store } from '../../platform/storage/store.ts'
import { createSqliteVectors, type SqliteVectors } from './sqlite-vectors.ts'

const model = 'm1'
const east = unit(1, 0, 0, 0)
const open = (store: Store): SqliteVectors => createSqliteVectors({ store, tenant: 'local', kind: 'memory' })
const rowsOf = async (index: SqliteVectors): Promise<number[]> =>
  (await index.nearest(east, { model, limit: 10_000 })).map(({ row }) => row).sort((a, b) => a - b)

/** The same file through a separate connection, like another process. */
function another(store: Store): Store {
  const other = openStore(store.path)
  onTestFinished(() => other.close())
  return other
}

describe('the vectors in SQLite', () => {
  testVectorIndex(() => {
    const store = temporaryStore()
    return Promise.resolve({
      open: ({ tenant = 'local', kind = 'memory' } = {}) =>
        Promise.resolve(createSqliteVectors({ store: another(store), tenant, kind })),
    })
  })

  test('are written when put returns, and lost if the transaction is rolled back', async () => {
    const store = temporaryStore()
    const index = open(store)
    index.put([{ row: 1, project: '', vector: east }], model)
    expect(await rowsOf(open(another(store)))).toEqual([1])
    const takenBack = (work: () => void): void => {
      expect(() =>
        store.transaction(() => {
          work()
          // A search started here must not cache uncommitted data.
          void index.nearest(east, { model, limit: 1 })
          throw new Error('taken back')
        }),
      ).toThrow('taken back')
    }
    takenBack(() => index.put([{ row: 2, project: '', vector: east }], model))
    expect(await rowsOf(index)).toEqual([1])
    takenBack(() => index.remove([1]))
    expect(await rowsOf(index)).toEqual([1])
    index.put([{ row: 3, project: '', vector: east }], model)
    expect(await rowsOf(index)).toEqual([1, 3])
  })

  test("two instances on one connection see each other's changes", async () => {
    const store = temporaryStore()
    const [one, other] = [open(store), open(store)]
    expect(await rowsOf(other)).toEqual([])
    one.put([{ row: 1, project: '', vector: east }], model)
    expect(await rowsOf(other)).toEqual([1])
  })

  test('an instance that missed too many removals reads everything again', async () => {
    const store = temporaryStore()
    const [writer, reader] = [open(store), open(another(store))]
    writer.put(
      [1, 2, 3].map((row) => ({ row, project: '', vector: east })),
      model,
    )
    expect(await rowsOf(reader)).toEqual([1, 2, 3])
    writer.remove([1])
    store.transaction(() => {
      for (let i = 0; i < 4100; i++) writer.put([{ row: 2, project: '', vector: east }], model)
    })
    writer.remove([3])
    expect(await rowsOf(reader)).toEqual([2])
    expect(store.rows('vectors', { tenant: 'local' }).all({ kind: 'memory:removed' })).toHaveLength(1)
  })

  test('another tenant cannot overwrite a row', async () => {
    const store = temporaryStore()
    const mine = open(store)
    const theirs = createSqliteVectors({ store, tenant: 'other', kind: 'memory' })
    mine.put([{ row: 1, project: '', vector: east }], model)
    theirs.put([{ row: 1, project: '', vector: unit(0, 1, 0, 0) }], model)
    expect((await mine.similarities(east, model, [1])).get(1)).toBeCloseTo(1, 2)
    expect(await rowsOf(theirs)).toEqual([])
  })
})
