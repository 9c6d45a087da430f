import { expect, test } from 'vitest'

import type { ContextdError } from '../../core/errors/errors.ts'
import { methodOf, readQuery, readRequest } from './messages.ts'

test('accepts a request that matches its message', () => {
  expect(readRequest('Audit/Query', { agent: 'main', limit: '5' })).toEqual({ agent: 'main', limit: 5 })
  expect(methodOf('Audit/Query').parent.typeName).toBe('contextd.v1.Audit')
})

test.each([
  [{ limt: 'hunter2' }, 'AuditQueryRequest has no field limt'],
  [{ limit: 'hunter2' }, 'the field limit of AuditQueryRequest has the wrong type'],
  [{ agent: { a: 'hunter2' } }, 'the field agent of AuditQueryRequest has the wrong type'],
])('%j is refused with its location, without repeating values', (request, what) => {
  expect(() => readRequest('Audit/Query', request)).toThrow(what)
  expect(() => readRequest('Audit/Query', request)).not.toThrow('hunter2')
})

test('the refusal lists the available fields', () => {
  const hintOf = (rpc: string): unknown => {
    try {
      return readRequest(rpc, { limt: 1 })
    } catch (error) {
      return (error as ContextdError).toObject().hint
    }
  }
  expect(hintOf('Audit/Show')).toBe('Its fields are call.')
  expect(hintOf('Server/Status')).toBe('It has no fields.')
})

test('refuses what is not an object of the message', () => {
  expect(() => readRequest('Tools/Call', { name: 'x', arguments: 'hunter2' })).toThrow(
    'this is not a valid ToolsCallRequest',
  )
})

test('reports an unknown call', () => {
  expect(() => readRequest('Audit/Erase', {})).toThrow('There is no API call Audit/Erase')
})

test('converts a query to a request: numbers, booleans and lists as in the message', () => {
  const query = new URLSearchParams('agent=main&limit=5&leaks=true')
  expect(readRequest('Audit/Query', readQuery('Audit/Query', query))).toEqual({
    agent: 'main',
    limit: 5,
    leaks: true,
  })
  expect(() => readRequest('Audit/Query', readQuery('Audit/Query', new URLSearchParams('x=1')))).toThrow(
    'no field x',
  )
})
