import { expect, test } from 'vitest'

import { ContextdError, describeError, errorCatalogue } from './errors.ts'

test('the template is filled from the details, which the error includes', () => {
  expect(
    describeError('DENIED_BY_POLICY', { agent: 'front', server: 'db', tool: 'drop', rule: 'agents.front' }),
  ).toEqual({
    code: 'DENIED_BY_POLICY',
    message: 'Agent front may not use db.drop',
    hint: errorCatalogue.DENIED_BY_POLICY.hint,
    agent: 'front',
    server: 'db',
    tool: 'drop',
    rule: 'agents.front',
  })
})

test('details cannot replace code or message, but may provide a better hint', () => {
  const error = describeError('NOT_FOUND', { what: 'x', code: 'OTHER', message: 'other', hint: 'look again' })
  expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'There is no x', hint: 'look again' })
})

test('error numbers avoid those reserved by the protocol', () => {
  for (const [code, { jsonrpc, exit }] of Object.entries(errorCatalogue)) {
    const ours = jsonrpc <= -32000 && jsonrpc >= -32019
    expect(ours || [-32600, -32602, -32603, -32700].includes(jsonrpc), code).toBe(true)
    expect(exit > 0 && exit < 256, code).toBe(true)
  }
})

test('a thrown error has the same description as the catalogue', () => {
  const error = new ContextdError('NOT_FOUND', { what: 'token' })
  expect(error.message).toBe('There is no token')
  expect(error.toObject()).toEqual(describeError('NOT_FOUND', { what: 'token' }))
})
