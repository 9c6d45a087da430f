import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { changedAuditObjects } from './audit-schema.ts'

const changedBy = (...statements: string[]): string[] => {
  const store = temporaryStore()
  for (const sql of statements) store.prepare(sql).run()
  return changedAuditObjects(store).map(({ type, name }) => `${type} ${name}`)
}

test('finds nothing in a migrated store, whatever else it contains', () => {
  expect(changedBy()).toEqual([])
  expect(changedBy('CREATE TABLE other (x)', 'ANALYZE')).toEqual([])
})

test.each([
  ['trigger x', 'CREATE TRIGGER x BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END'],
  ['trigger x', 'CREATE TRIGGER x AFTER INSERT ON usage BEGIN DELETE FROM Audit; END'],
  ['trigger x', 'CREATE TRIGGER x INSTEAD OF DELETE ON audit_entries BEGIN SELECT 1; END'],
  ['view x', 'CREATE VIEW x AS SELECT * FROM audit'],
  ['index x', 'CREATE INDEX x ON audit (tool)'],
  ['trigger audit_append_only', 'DROP TRIGGER audit_append_only'],
  ['index audit_event', 'DROP INDEX audit_event'],
  ['view audit_entries', 'DROP VIEW audit_entries'],
  ['table audit', 'ALTER TABLE audit ADD COLUMN x TEXT'],
])('finds the %s after: %s', (object, sql) => {
  expect(changedBy(sql)).toContain(object)
})

test('finds an object that was replaced under its own name', () => {
  const view = 'CREATE VIEW audit_entries AS SELECT * FROM audit'
  expect(changedBy('DROP VIEW audit_entries', view)).toContain('view audit_entries')
})
