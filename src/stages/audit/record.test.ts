import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { sampleRecord } from '../../../test/support/sample-record.ts'
import { auditColumns } from '../../platform/storage/tables.ts'
import { canonicalText, toAuditRecord, toValues, valuesOf } from './record.ts'

const rowOf = (values: readonly unknown[]) =>
  Object.fromEntries([
    ...auditColumns.map((column, index) => [column, values[index]]),
    ['hash', Buffer.from('ab', 'hex')],
  ])

describe('a record', () => {
  test('is read as it was written, with readable times', () => {
    const record = sampleRecord()
    expect(toAuditRecord(rowOf(toValues(7, record)))).toEqual({
      ...record,
      seq: 7,
      time: '1970-01-01T00:16:40.000Z',
      deadline: '1970-01-01T00:17:10.000Z',
      hash: 'ab',
    })
  })

  test('omits absent fields', () => {
    const bare = {
      time: 0,
      kind: 'event',
      tenant: 't',
      project: '',
      session: '',
      agent: '',
      user: 'u',
    } as const
    expect(Object.keys(toAuditRecord(rowOf(toValues(1, bare))))).toEqual([
      'seq',
      'time',
      'kind',
      'tenant',
      'project',
      'session',
      'agent',
      'user',
      'hash',
    ])
  })

  test.each([
    ['time', 9e15],
    ['time', 'nonsense'],
    ['deadline', -9e15],
    ['arguments', '{'],
    ['notes', '{'],
    ['notes', '5'],
    ['findings', '{}'],
    ['hash', null],
    ['hash', 'text'],
  ])('with an invalid %s is reported as tampered with: %s', (column, value) => {
    const row = rowOf(toValues(7, sampleRecord()))
    row[column] = value
    expect(() => toAuditRecord(row)).toThrow('broken at record 7')
  })

  test('contains nothing that SQLite would change', () => {
    const values = toValues(1, sampleRecord({ output: 'a\0b\ud800c😀', notes: ['\0\udc00'] }))
    expect(values[auditColumns.indexOf('output')]).toBe('a\uFFFDb\uFFFDc😀')
    expect(values[auditColumns.indexOf('notes')]).toBe(String.raw`["\u0000\udc00"]`)
  })
})

describe('the sealed text', () => {
  test('is the same before and after storing', () => {
    const values = toValues(7, sampleRecord())
    expect(canonicalText(valuesOf(rowOf(values)))).toBe(canonicalText(values))
  })

  test('does not change when a column is appended', () => {
    expect(canonicalText([1, null, 'a', null])).toBe(canonicalText([1, null, 'a']))
  })

  test('distinguishes values that look alike', () => {
    const texts = [[1], ['1'], [null, 1], ['1,2'], [1, 2], [''], []].map(canonicalText)
    expect(new Set(texts).size).toBe(texts.length)
  })
})

test('the reference documents every field in the same order', () => {
  const page = readFileSync(new URL('../../../docs/reference/audit.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('| field | content |')
  const fields = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(fields).toEqual(auditColumns)
})
