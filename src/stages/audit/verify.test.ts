import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { temporaryAudit, type TestAudit } from '../../../test/support/audit.ts'
import { sampleRecord } from '../../../test/support/sample-record.ts'
import { auditColumns } from '../../platform/storage/tables.ts'
import type { NewRecord } from './record.ts'
import { verifyAudit } from './verify.ts'

const total = 6

/** A chain of six records with a current head file. */
function sealedChain(): TestAudit {
  const audit = temporaryAudit()
  for (let i = 1; i <= total; i++) audit.log.append(sampleRecord({ call: `call-${i}`, time: 1_000_000 + i }))
  audit.log.flush()
  return audit
}

const intact = { ok: true, records: total, first_bad: null }

test('an untouched chain is valid, and its newest seal is returned', () => {
  const { files } = sealedChain()
  const [{ hash }] = [files.store.prepare('SELECT hash FROM audit WHERE seq = 6').get() ?? {}]
  expect(verifyAudit(files).head).toEqual({ seq: 6, hash: Buffer.from(hash as Uint8Array).toString('hex') })
  expect(verifyAudit(files)).toMatchObject(intact)
})

test('an empty chain is valid, before and after its key was created', () => {
  const { files } = temporaryAudit()
  expect(verifyAudit(files)).toMatchObject({ ok: true, records: 0, first_bad: null })
  rmSync(join(files.keysDir, 'audit.key'))
  expect(verifyAudit(files)).toMatchObject({ ok: true, records: 0, first_bad: null })
})

const isNumber = (column: string): boolean =>
  typeof (sampleRecord() as unknown as Record<string, unknown>)[column] === 'number'

describe('an edited record is detected', () => {
  const columns = auditColumns.filter((column) => column !== 'seq')

  test.each(columns)('in column %s', (column) => {
    const { files, intruder } = sealedChain()
    intruder.prepare(`UPDATE audit SET ${column} = ? WHERE seq = 3`).run(isNumber(column) ? 99 : 'changed')
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 2, first_bad: 3 })
  })

  test('if any optional column was cleared', () => {
    const { files, intruder } = sealedChain()
    const columns = intruder.prepare(
      `SELECT name FROM pragma_table_info('audit') WHERE NOT "notnull" AND NOT pk`,
    )
    for (const name of columns.all().map((column) => String(column.name))) {
      const { value = null } =
        intruder.prepare(`SELECT ${name} AS value FROM audit WHERE seq = 3`).get() ?? {}
      const set = intruder.prepare(`UPDATE audit SET ${name} = ? WHERE seq = 3`)
      set.run(null)
      expect(verifyAudit(files), name).toMatchObject({ ok: false, first_bad: 3 })
      set.run(value)
      expect(verifyAudit(files), name).toMatchObject(intact)
    }
  })

  test.each(["hash = randomblob(32), agent = 'x'", 'hash = randomblob(32)', "hash = x''"])(
    'with its seal: %s',
    (edit) => {
      const { files, intruder } = sealedChain()
      intruder.exec(`UPDATE audit SET ${edit} WHERE seq = 3`)
      expect(verifyAudit(files)).toMatchObject({ ok: false, first_bad: 3 })
    },
  )

  test('if it contains an impossible number', () => {
    const { files, intruder } = sealedChain()
    intruder.exec('UPDATE audit SET tokens = 1152921504606846976 WHERE seq = 3')
    expect(verifyAudit(files)).toMatchObject({
      ok: false,
      first_bad: 3,
      problem: 'the record cannot be read',
    })
  })
})

describe('a deleted record is detected', () => {
  test.each([1, 3, 5])('number %i', (seq) => {
    const { files, intruder } = sealedChain()
    intruder.exec(`DELETE FROM audit WHERE seq = ${seq}`)
    expect(verifyAudit(files)).toMatchObject({
      ok: false,
      records: seq - 1,
      first_bad: seq,
      problem: 'the record is missing',
    })
  })

  test('if the others were renumbered', () => {
    const { files, intruder } = sealedChain()
    intruder.exec('DELETE FROM audit WHERE seq = 3; UPDATE audit SET seq = seq - 1 WHERE seq > 3')
    expect(verifyAudit(files)).toMatchObject({ ok: false, first_bad: 3 })
  })

  test('at the start, several at once', () => {
    const { files, intruder } = sealedChain()
    intruder.exec('DELETE FROM audit WHERE seq <= 4')
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 0, first_bad: 1 })
  })
})

describe('a truncated chain is detected', () => {
  test.each([1, 5, 6])('by %i records', (cut) => {
    const { files, intruder } = sealedChain()
    intruder.exec(`DELETE FROM audit WHERE seq > ${total - cut}`)
    const first = total - cut + 1
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: total - cut, first_bad: first })
  })

  test.each([
    ['removed', (path: string) => rmSync(path)],
    ['emptied', (path: string) => writeFileSync(path, '')],
    ['filled with nonsense', (path: string) => writeFileSync(path, 'x'.repeat(5000))],
    [
      'set back by hand',
      (path: string) => writeFileSync(path, readFileSync(path, 'latin1').replace(/^6 /, '5 ')),
    ],
  ])('even with the head file %s', (_, forge) => {
    const { files, intruder } = sealedChain()
    intruder.exec('DELETE FROM audit WHERE seq = 6')
    forge(files.headFile)
    expect(verifyAudit(files)).toMatchObject({
      ok: false,
      records: 5,
      first_bad: 6,
      problem: expect.stringContaining('head'),
    })
  })

  test('but not if the head merely lags', () => {
    const { log, files } = sealedChain()
    log.append(sampleRecord())
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: total + 1 })
  })
})

describe('an inserted record is detected', () => {
  const copyOf = (seq: number, target: number): string => {
    const columns = [...auditColumns.slice(1), 'hash'].join(', ')
    return `INSERT INTO audit (seq, ${columns}) SELECT ${target}, ${columns} FROM audit WHERE seq = ${seq}`
  }

  test('at the end', () => {
    const { files, intruder } = sealedChain()
    intruder.exec(copyOf(6, 7))
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 6, first_bad: 7 })
  })

  test('in the middle', () => {
    const { files, intruder } = sealedChain()
    intruder.exec('UPDATE audit SET seq = seq + 100 WHERE seq > 3')
    intruder.exec(copyOf(3, 4))
    intruder.exec('UPDATE audit SET seq = seq - 99 WHERE seq > 100')
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 3, first_bad: 4 })
  })

  test('before the start', () => {
    const { files, intruder } = sealedChain()
    intruder.exec(copyOf(1, 0))
    expect(verifyAudit(files)).toMatchObject({ ok: false, first_bad: 0 })
  })
})

const swap = (one: number, other: number): string => {
  const move = (from: number, to: number): string => `UPDATE audit SET seq = ${to} WHERE seq = ${from};`
  return move(one, -1) + move(other, one) + move(-1, other)
}

test('two swapped records are detected', () => {
  const { files, intruder } = sealedChain()
  intruder.exec(swap(2, 4))
  expect(verifyAudit(files)).toMatchObject({ ok: false, records: 1, first_bad: 2 })
  intruder.exec(swap(2, 4))
  expect(verifyAudit(files)).toMatchObject(intact)
})

describe('a changed table is detected', () => {
  const dropping = 'CREATE TRIGGER x BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END'

  test.each([
    ['trigger "x"', dropping, total, total + 1],
    ['view "audit_entries"', 'DROP VIEW audit_entries', total, total + 1],
    ['index "audit_event"', 'DROP INDEX audit_event', total, total + 1],
    ['table "audit"', 'DROP VIEW audit_entries; ALTER TABLE audit DROP COLUMN tool', 0, 1],
    ['table "audit"', 'ALTER TABLE audit ADD COLUMN other TEXT', 0, 1],
  ])('the %s: %s', (object, sql, records, first_bad) => {
    const { files, intruder } = sealedChain()
    intruder.exec(sql)
    const problem = expect.stringContaining(object)
    expect(verifyAudit(files)).toMatchObject({ ok: false, records, first_bad, problem })
  })

  test('even without records, and until it is reverted', () => {
    const { files, intruder } = temporaryAudit()
    intruder.exec(dropping)
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 0, first_bad: 1 })
    rmSync(join(files.keysDir, 'audit.key'))
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 0, first_bad: 1 })
    intruder.exec('DROP TRIGGER x')
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: 0 })
  })

  test('but an invalid record is reported first', () => {
    const { files, intruder } = sealedChain()
    intruder.exec(`${dropping}; UPDATE audit SET agent = 'x' WHERE seq = 3`)
    expect(verifyAudit(files)).toMatchObject({ ok: false, first_bad: 3 })
  })
})

test('a chain sealed with another key is invalid', () => {
  const { files } = sealedChain()
  const other = sealedChain()
  copyFileSync(join(other.files.keysDir, 'audit.key'), join(files.keysDir, 'audit.key'))
  expect(verifyAudit(files)).toMatchObject({ ok: false, records: 0, first_bad: 1 })
})

test('nothing can be verified without the key', () => {
  const { files } = sealedChain()
  rmSync(join(files.keysDir, 'audit.key'))
  expect(verifyAudit(files)).toMatchObject({
    ok: false,
    first_bad: 1,
    problem: expect.stringContaining('is missing'),
  })
})

test('progress is reported', () => {
  const { log, files } = temporaryAudit()
  for (let i = 0; i < 3; i++) log.append(sampleRecord())
  const seen: number[] = []
  verifyAudit(files, { every: 2, onProgress: (records) => seen.push(records) })
  expect(seen).toEqual([2])
})

describe('any single change is detected', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const record: fc.Arbitrary<NewRecord> = fc
    .record({
      call: text,
      agent: text,
      output: text,
      tokens: fc.nat(),
      arguments: fc.dictionary(text, fc.jsonValue() as fc.Arbitrary<never>),
    })
    .map((change) => sampleRecord(change))

  type Change = (seq: number, other: number) => string
  const edits: Change[] = auditColumns
    .filter((column) => column !== 'seq')
    .map((column) => (seq) => {
      const value = isNumber(column) ? `coalesce(${column}, 0) + 1` : `coalesce(${column}, '') || 'x'`
      return `UPDATE audit SET ${column} = ${value} WHERE seq = ${seq}`
    })
  const removal: Change = (seq) => `DELETE FROM audit WHERE seq = ${seq}`

  test('in a chain of any records', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 2, maxLength: 6 }),
        fc.constantFrom(...edits, removal, swap),
        fc.nat(),
        fc.nat(),
        (records, change, first, second) => {
          const { log, files, intruder } = temporaryAudit()
          for (const one of records) log.append(one)
          log.flush()
          expect(verifyAudit(files)).toMatchObject({ ok: true, records: records.length, first_bad: null })
          const seq = (first % records.length) + 1
          const other = ((seq + (second % (records.length - 1))) % records.length) + 1
          intruder.exec(change(seq, other))
          const verdict = verifyAudit(files)
          expect(verdict.ok).toBe(false)
          expect(verdict.first_bad).toBe(change === swap ? Math.min(seq, other) : seq)
        },
      ),
      { numRuns: 60 },
    )
  })
})
