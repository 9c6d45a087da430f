import { readFileSync, writeFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { temporaryAudit, type TestAudit } from '../../../test/support/audit.ts'
import { sampleRecord } from '../../../test/support/sample-record.ts'
import { verifyAudit } from './verify.ts'

const seqs = ({ files }: TestAudit): unknown[] =>
  files.store
    .prepare('SELECT seq FROM audit ORDER BY seq')
    .all()
    .map(({ seq }) => seq)

/** Ten records; record n has time n. */
function tenRecords(): TestAudit {
  const audit = temporaryAudit()
  for (let time = 1; time <= 10; time++) audit.log.append(sampleRecord({ time, call: `call-${time}` }))
  audit.log.flush()
  return audit
}

describe('pruning', () => {
  test('deletes older records, and the rest stays valid', () => {
    const audit = tenRecords()
    expect(audit.log.prune(5)).toBe(4)
    expect(seqs(audit)).toEqual([5, 6, 7, 8, 9, 10, 11])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 7, first_bad: null })
  })

  test('adds an event that describes what was deleted', () => {
    const audit = tenRecords()
    const fourth = audit.files.store.prepare('SELECT hash FROM audit WHERE seq = 4').get()
    audit.log.prune(5)
    const event = audit.files.store.rows('audit', { tenant: 'local' }).first({ seq: 11 })
    expect(event).toMatchObject({ kind: 'event', event: 'audit.pruned', user: 'ada', time: audit.clock.now })
    expect(JSON.parse(String(event?.details))).toEqual({
      through: 4,
      hash: Buffer.from(fourth?.hash as Uint8Array).toString('hex'),
      records: 4,
    })
  })

  test('of nothing changes nothing', () => {
    const audit = tenRecords()
    expect(audit.log.prune(1)).toBe(0)
    expect(seqs(audit)).toHaveLength(10)
  })

  test('of everything leaves only the event, even if that is old itself', () => {
    const audit = tenRecords()
    audit.clock.now = 50
    expect(audit.log.prune(1000)).toBe(10)
    expect(seqs(audit)).toEqual([11])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 1 })
  })

  test('continues from the last time, and new records follow', () => {
    const audit = tenRecords()
    audit.log.prune(4)
    audit.log.append(sampleRecord({ time: 12 }))
    audit.log.prune(8)
    audit.reopen().append(sampleRecord({ time: 14 }))
    expect(seqs(audit)).toEqual([8, 9, 10, 11, 12, 13, 14])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 7 })
  })

  test('stops at the first record that must stay, whatever follows', () => {
    const audit = temporaryAudit()
    for (const time of [1, 9, 2]) audit.log.append(sampleRecord({ time }))
    expect(audit.log.prune(5)).toBe(1)
    expect(seqs(audit)).toEqual([2, 3, 4])
  })

  test('in several transactions stays valid too', () => {
    const audit = temporaryAudit()
    for (let i = 0; i < 2100; i++) audit.log.append(sampleRecord({ time: 1 }))
    expect(audit.log.prune(5)).toBe(2100)
    expect(seqs(audit)).toEqual([2101, 2102])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 2 })
  })

  test('stays valid if the head file still names a deleted record', () => {
    const audit = tenRecords()
    const head = readFileSync(audit.files.headFile)
    for (let time = 11; time <= 15; time++) audit.log.append(sampleRecord({ time }))
    audit.log.prune(14)
    // As left by a process that died in between.
    writeFileSync(audit.files.headFile, head)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 3 })
  })
})

describe('manual deletion', () => {
  test('is detected', () => {
    const audit = tenRecords()
    audit.intruder.exec('DELETE FROM audit WHERE seq <= 4')
    expect(verifyAudit(audit.files)).toMatchObject({
      ok: false,
      first_bad: 1,
      problem: 'the record is missing',
    })
  })

  test('is detected after a real pruning too', () => {
    const audit = tenRecords()
    audit.log.prune(5)
    audit.intruder.exec('DELETE FROM audit WHERE seq <= 6')
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 5 })
  })

  test('is not hidden by a forged event', () => {
    const audit = tenRecords()
    audit.log.prune(3)
    audit.intruder.exec(`
      UPDATE audit SET details = json_set(details, '$.through', 6,
        '$.hash', (SELECT lower(hex(hash)) FROM audit WHERE seq = 6)) WHERE event = 'audit.pruned';
      DELETE FROM audit WHERE seq <= 6`)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 11, records: 4 })
  })

  test.each(["'nonsense'", "'{}'", `'{"through":"x","hash":7}'`])(
    'nor by an event that says %s',
    (details) => {
      const audit = tenRecords()
      audit.log.prune(3)
      audit.intruder.exec(`UPDATE audit SET details = ${details} WHERE event = 'audit.pruned'`)
      expect(verifyAudit(audit.files)).toMatchObject({ ok: false })
    },
  )

  test('pruned records that were restored are detected', () => {
    const audit = tenRecords()
    audit.intruder.exec('CREATE TABLE kept AS SELECT * FROM audit WHERE seq = 2')
    audit.log.prune(5)
    audit.intruder.exec('INSERT INTO audit SELECT * FROM kept')
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 2 })
  })

  test('an event with an unreadable number is detected too', () => {
    const audit = tenRecords()
    audit.log.prune(5)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true })
    audit.intruder.exec("UPDATE audit SET time = 1152921504606846976 WHERE event = 'audit.pruned'")
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 11 })
  })
})

describe('pruning does not destroy evidence of tampering', () => {
  test('because it stops before it, reports it, and leaves it to be found', () => {
    const audit = tenRecords()
    audit.intruder.exec("UPDATE audit SET agent = 'x' WHERE seq = 3")
    expect(audit.log.prune(5)).toBe(2)
    expect(seqs(audit)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(audit.complaints).toEqual([expect.stringMatching(/stay.*"first_bad":3/)])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, records: 0, first_bad: 3 })
  })

  test('even if repeated, and if every record was made to look old', () => {
    const audit = tenRecords()
    audit.intruder.exec("UPDATE audit SET time = 1, arguments = 'forged'")
    expect([audit.log.prune(1000), audit.log.prune(1000)]).toEqual([0, 0])
    expect(seqs(audit)).toHaveLength(10)
    expect(audit.complaints).toHaveLength(2)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 1 })
  })

  test.each([
    ['removed', 'DELETE FROM audit WHERE seq = 3', 2],
    ['unreadable', 'UPDATE audit SET tokens = 1152921504606846976 WHERE seq = 3', 2],
    ['put in before the start', 'UPDATE audit SET seq = 0 WHERE seq = 1', 0],
  ])('if a record was %s', (_, manipulation, removed) => {
    const audit = tenRecords()
    audit.intruder.exec(manipulation)
    const { first_bad } = verifyAudit(audit.files)
    expect(audit.log.prune(5)).toBe(removed)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad })
  })

  test('and stops at records that a trigger protects', () => {
    const audit = tenRecords()
    audit.intruder.exec('CREATE TRIGGER x BEFORE DELETE ON audit BEGIN SELECT RAISE(IGNORE); END')
    audit.log.prune(5)
    expect(audit.complaints).toEqual([expect.stringContaining('before the start')])
  })

  test('and otherwise runs without a report', () => {
    const audit = tenRecords()
    expect([audit.log.prune(5), audit.log.prune(7)]).toEqual([4, 2])
    expect(audit.complaints).toEqual([])
  })
})
