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

/** Ten records, number n of time n. */
function tenRecords(): TestAudit {
  const audit = temporaryAudit()
  for (let time = 1; time <= 10; time++) audit.log.append(sampleRecord({ time, call: `call-${time}` }))
  audit.log.flush()
  return audit
}

describe('pruning', () => {
  test('removes what is older, and the rest still holds', () => {
    const audit = tenRecords()
    expect(audit.log.prune(5)).toBe(4)
    expect(seqs(audit)).toEqual([5, 6, 7, 8, 9, 10, 11])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 7, first_bad: null })
  })

  test('leaves an event that says what went', () => {
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

  test('of nothing leaves nothing behind', () => {
    const audit = tenRecords()
    expect(audit.log.prune(1)).toBe(0)
    expect(seqs(audit)).toHaveLength(10)
  })

  test('of everything leaves only the event, also when that is old itself', () => {
    const audit = tenRecords()
    audit.clock.now = 50
    expect(audit.log.prune(1000)).toBe(10)
    expect(seqs(audit)).toEqual([11])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 1 })
  })

  test('goes on from where it was, and new records follow', () => {
    const audit = tenRecords()
    audit.log.prune(4)
    audit.log.append(sampleRecord({ time: 12 }))
    audit.log.prune(8)
    audit.reopen().append(sampleRecord({ time: 14 }))
    expect(seqs(audit)).toEqual([8, 9, 10, 11, 12, 13, 14])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 7 })
  })

  test('stops at the first record that must stay, whatever stands behind it', () => {
    const audit = temporaryAudit()
    for (const time of [1, 9, 2]) audit.log.append(sampleRecord({ time }))
    expect(audit.log.prune(5)).toBe(1)
    expect(seqs(audit)).toEqual([2, 3, 4])
  })

  test('in more than one piece holds as well', () => {
    const audit = temporaryAudit()
    for (let i = 0; i < 2100; i++) audit.log.append(sampleRecord({ time: 1 }))
    expect(audit.log.prune(5)).toBe(2100)
    expect(seqs(audit)).toEqual([2101, 2102])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 2 })
  })

  test('holds where the head file still names a record that went', () => {
    const audit = tenRecords()
    const head = readFileSync(audit.files.headFile)
    for (let time = 11; time <= 15; time++) audit.log.append(sampleRecord({ time }))
    audit.log.prune(14)
    // As a process leaves it that dies between the two.
    writeFileSync(audit.files.headFile, head)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true, records: 3 })
  })
})

describe('pruning by hand', () => {
  test('is found', () => {
    const audit = tenRecords()
    audit.intruder.exec('DELETE FROM audit WHERE seq <= 4')
    expect(verifyAudit(audit.files)).toMatchObject({
      ok: false,
      first_bad: 1,
      problem: 'the record is missing',
    })
  })

  test('is found after a real one too', () => {
    const audit = tenRecords()
    audit.log.prune(5)
    audit.intruder.exec('DELETE FROM audit WHERE seq <= 6')
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 5 })
  })

  test('is not covered by an event of one’s own', () => {
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

  test('what was pruned and is put back is found', () => {
    const audit = tenRecords()
    audit.intruder.exec('CREATE TABLE kept AS SELECT * FROM audit WHERE seq = 2')
    audit.log.prune(5)
    audit.intruder.exec('INSERT INTO audit SELECT * FROM kept')
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 2 })
  })

  test('where the event holds a number that cannot be read is found too', () => {
    const audit = tenRecords()
    audit.log.prune(5)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: true })
    audit.intruder.exec("UPDATE audit SET time = 1152921504606846976 WHERE event = 'audit.pruned'")
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad: 11 })
  })
})

describe('a manipulation is not washed away by a real pruning', () => {
  test('which stops before it, says so, and leaves it to be found', () => {
    const audit = tenRecords()
    audit.intruder.exec("UPDATE audit SET agent = 'x' WHERE seq = 3")
    expect(audit.log.prune(5)).toBe(2)
    expect(seqs(audit)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(audit.complaints).toEqual([expect.stringMatching(/stay.*"first_bad":3/)])
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, records: 0, first_bad: 3 })
  })

  test('however often it comes, and also when every record was made to look old', () => {
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
  ])('where a record was %s', (_, manipulation, removed) => {
    const audit = tenRecords()
    audit.intruder.exec(manipulation)
    const { first_bad } = verifyAudit(audit.files)
    expect(audit.log.prune(5)).toBe(removed)
    expect(verifyAudit(audit.files)).toMatchObject({ ok: false, first_bad })
  })

  test('and records that a trigger will not let go end the pruning', () => {
    const audit = tenRecords()
    audit.intruder.exec('CREATE TRIGGER x BEFORE DELETE ON audit BEGIN SELECT RAISE(IGNORE); END')
    audit.log.prune(5)
    expect(audit.complaints).toEqual([expect.stringContaining('before the start')])
  })

  test('which goes on where the chain holds, without a complaint', () => {
    const audit = tenRecords()
    expect([audit.log.prune(5), audit.log.prune(7)]).toEqual([4, 2])
    expect(audit.complaints).toEqual([])
  })
})
