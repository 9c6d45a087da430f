import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test, vi } from 'vitest'

import { temporaryAudit } from '../../../test/support/audit.ts'
import { sampleRecord } from '../../../test/support/sample-record.ts'
import { verifyAudit } from './verify.ts'

const headSeq = (path: string): number => Number(readFileSync(path, 'latin1').split(' ')[0])

describe('appending', () => {
  test('numbers the records of all writers without a gap', () => {
    const { log, reopen, files } = temporaryAudit()
    const second = reopen()
    const seqs = [log, second, log, second].map((writer) => writer.append(sampleRecord()).seq)
    expect(seqs).toEqual([1, 2, 3, 4])
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: 4, first_bad: null })
  })

  test('gives equal records different seals', () => {
    const { log } = temporaryAudit()
    const seals = [1, 2, 3].map(() => Buffer.from(log.append(sampleRecord()).hash).toString('hex'))
    expect(new Set(seals).size).toBe(3)
  })

  test('throws if nothing can be written', () => {
    const { log, files } = temporaryAudit()
    files.store.prepare('PRAGMA query_only = on').run()
    expect(() => log.append(sampleRecord())).toThrow('read-only')
    files.store.prepare('PRAGMA query_only = off').run()
    expect(log.append(sampleRecord()).seq).toBe(1)
  })

  test.each([0, 1])('throws if a trigger drops the record, after %i others', (others) => {
    const { log, files, intruder } = temporaryAudit()
    for (let i = 0; i < others; i++) log.append(sampleRecord())
    intruder.exec(`CREATE TRIGGER x BEFORE INSERT ON audit WHEN NEW.tool = 'secret_tool'
      BEGIN SELECT RAISE(IGNORE); END`)
    expect(() => log.append(sampleRecord({ tool: 'secret_tool' }))).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE' }),
    )
    expect(log.append(sampleRecord({ tool: 'other_tool' })).seq).toBe(others + 1)
    intruder.exec('DROP TRIGGER x')
    expect(log.append(sampleRecord({ tool: 'secret_tool' })).seq).toBe(others + 2)
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: others + 2 })
  })

  test('writes records requested together in order, interleaved with those of other writers', async () => {
    const { log, reopen, files } = temporaryAudit()
    const other = reopen()
    log.append(sampleRecord())
    other.append(sampleRecord())
    const together = [1, 2, 3].map(() => log.appendSoon(sampleRecord()))
    expect(other.append(sampleRecord()).seq).toBe(3)
    expect((await Promise.all(together)).map(({ seq }) => seq)).toEqual([4, 5, 6])
    expect((await log.appendSoon(sampleRecord())).seq).toBe(7)
    expect(other.append(sampleRecord()).seq).toBe(8)
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: 8, first_bad: null })
  })

  test('isolates a record that cannot be written from others requested together', async () => {
    const { log, files, intruder } = temporaryAudit()
    intruder.exec(`CREATE TRIGGER x BEFORE INSERT ON audit WHEN NEW.tool = 'secret_tool'
      BEGIN SELECT RAISE(IGNORE); END`)
    const tools = ['a', 'secret_tool', 'b']
    const ends = await Promise.allSettled(tools.map((tool) => log.appendSoon(sampleRecord({ tool }))))
    expect(ends).toMatchObject([
      { value: { seq: 1 } },
      { reason: { code: 'STORE_UNAVAILABLE' } },
      { value: { seq: 2 } },
    ])
    files.store.prepare('PRAGMA query_only = on').run()
    const none = await Promise.allSettled(tools.map((tool) => log.appendSoon(sampleRecord({ tool }))))
    expect(none.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    files.store.prepare('PRAGMA query_only = off').run()
    intruder.exec('DROP TRIGGER x')
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: 2 })
  })

  test('leaves a gap if a record is deleted immediately', () => {
    const { log, files, intruder } = temporaryAudit()
    intruder.exec(`CREATE TRIGGER x AFTER INSERT ON audit WHEN NEW.tool = 'secret_tool'
      BEGIN DELETE FROM audit WHERE seq = NEW.seq; END`)
    log.append(sampleRecord())
    log.append(sampleRecord({ tool: 'secret_tool' }))
    log.flush()
    intruder.exec('DROP TRIGGER x')
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 1, first_bad: 2 })
    expect(log.append(sampleRecord()).seq).toBe(3)
    expect(verifyAudit(files)).toMatchObject({ ok: false, records: 1, first_bad: 2 })
  })

  test('records can never be changed, not even by us', () => {
    const { log, files } = temporaryAudit()
    log.append(sampleRecord())
    expect(() => files.store.prepare("UPDATE audit SET agent = 'x'").run()).toThrow('never changed')
  })

  test('events have a name, details and an owner', () => {
    const { log, files } = temporaryAudit()
    log.event('daemon.started', { pid: 7 })
    log.event('trust.given', { path: '/shop/.contextd' }, { project: '/shop' })
    const rows = files.store.rows('audit', { tenant: 'local' }).all()
    expect(rows).toMatchObject([
      {
        kind: 'event',
        event: 'daemon.started',
        details: '{"pid":7}',
        user: 'ada',
        time: 1_000_000,
        call: null,
      },
      { event: 'trust.given', project: '/shop' },
    ])
  })
})

describe('the head file', () => {
  test('exists before the first record, accessible to its owner only', () => {
    const { files } = temporaryAudit()
    expect(headSeq(files.headFile)).toBe(0)
    expect(statSync(files.headFile).mode & 0o777).toBe(0o600)
  })

  test('follows a second after an append, and on flush', () => {
    vi.useFakeTimers()
    try {
      const { log, files } = temporaryAudit()
      log.append(sampleRecord())
      log.append(sampleRecord())
      expect(headSeq(files.headFile)).toBe(0)
      vi.advanceTimersByTime(1000)
      expect(headSeq(files.headFile)).toBe(2)
      log.append(sampleRecord())
      log.flush()
      expect(headSeq(files.headFile)).toBe(3)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('names the newest record of all processes', () => {
    const { log, reopen, files } = temporaryAudit()
    const second = reopen()
    log.append(sampleRecord())
    second.append(sampleRecord())
    log.flush()
    expect(headSeq(files.headFile)).toBe(2)
    second.flush()
    expect(headSeq(files.headFile)).toBe(2)
  })

  test('that was deleted or forged stays unchanged and is reported', () => {
    const { log, files, complaints } = temporaryAudit()
    log.append(sampleRecord())
    writeFileSync(files.headFile, 'forged')
    log.flush()
    expect(readFileSync(files.headFile, 'utf8')).toBe('forged')
    rmSync(files.headFile)
    log.flush()
    expect(existsSync(files.headFile)).toBe(false)
    expect(complaints).toEqual([expect.stringContaining('was changed'), expect.stringContaining('missing')])
  })

  test('is not advanced past a record it does not name', () => {
    const { log, reopen, files, complaints, intruder } = temporaryAudit()
    const blind = reopen()
    for (let i = 0; i < 3; i++) log.append(sampleRecord())
    log.flush()
    intruder.exec('DELETE FROM audit WHERE seq > 1')
    for (let i = 0; i < 4; i++) blind.append(sampleRecord({ output: 'rewritten' }))
    blind.flush()
    expect(headSeq(files.headFile)).toBe(3)
    expect(complaints).toEqual([expect.stringContaining('record 3 is not the one')])
    expect(verifyAudit(files)).toMatchObject({ ok: false, first_bad: 3 })
  })

  test('shows where the chain continued after a truncation', () => {
    const { log, reopen, files, intruder } = temporaryAudit()
    for (let i = 0; i < 3; i++) log.append(sampleRecord())
    log.flush()
    intruder.exec('DELETE FROM audit WHERE seq > 1')
    expect(reopen().append(sampleRecord()).seq).toBe(4)
    expect(verifyAudit(files)).toMatchObject({
      ok: false,
      records: 1,
      first_bad: 2,
      problem: 'the record is missing',
    })
  })
})

describe('the key', () => {
  test('that is lost stops everything: no second chain starts unnoticed', () => {
    const { log, reopen, files } = temporaryAudit()
    log.append(sampleRecord())
    rmSync(join(files.keysDir, 'audit.key'))
    expect(reopen).toThrow('audit.key is missing')
    expect(existsSync(join(files.keysDir, 'audit.key'))).toBe(false)
  })

  test('is created if there is nothing to lose', () => {
    const { reopen, files } = temporaryAudit()
    rmSync(join(files.keysDir, 'audit.key'))
    reopen().append(sampleRecord())
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: 1 })
  })
})
