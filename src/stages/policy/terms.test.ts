import { expect, it } from 'vitest'

import { applyArgumentRules } from './terms.ts'

const place = { path: 'agents.a.args["db.query"]' }

it("merges the caller's arguments with defaults and fixed values, and notes replaced ones", () => {
  const rules = [{ defaults: { limit: 10, format: 'csv' }, fixed: { mode: { ro: true }, tenant: 7 }, place }]
  const given = { format: 'json', mode: { ro: false }, tenant: 7, sql: 'select 1' }
  expect(applyArgumentRules(given, rules)).toEqual({
    arguments: { limit: 10, format: 'json', mode: { ro: true }, tenant: 7, sql: 'select 1' },
    notes: ['argument "mode" replaced by agents.a.args["db.query"].fixed'],
  })
  expect(given.mode).toEqual({ ro: false })
})

it('gives later rules precedence', () => {
  const project = { defaults: { limit: 1, page: 2 }, fixed: { mode: 'rw', depth: 1 }, place }
  const user = { defaults: { limit: 10 }, fixed: { mode: 'ro' }, place }
  expect(applyArgumentRules({}, [project, user]).arguments).toEqual({
    limit: 10,
    page: 2,
    mode: 'ro',
    depth: 1,
  })
})

it('changes nothing without rules', () => {
  expect(applyArgumentRules({ a: 1 }, [])).toEqual({ arguments: { a: 1 }, notes: [] })
})
