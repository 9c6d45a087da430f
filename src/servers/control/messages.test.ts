import { expect, test } from 'vitest'

import type { ContextdError } from '../../core/errors/errors.ts'
import { methodOf, readQuery, readRequest } from './messages.ts'

test('a request is what its message has', () => {
  expect(readRequest('Audit/Query', { agent: 'main', limit: '5' })).toEqual({ agent: 'main', limit: 5 })
  expect(methodOf('Audit/Query').parent.typeName).toBe('contextd.v1.Audit')
})

test.each([
  [{ limt: 'hunter2' }, 'AuditQueryRequest has no field limt'],
  [{ limit: 'hunter2' }, 'the field limit of AuditQueryRequest has the wrong type'],
  [{ agent: { a: 'hunter2' } }, 'the field agent of AuditQueryRequest has the wrong type'],
])('%j is refused by its place, and no value is repeated', (request, what) => {
  expect(() => readRequest('Audit/Query', request)).toThrow(what)
  expect(() => readRequest('Audit/Query', request)).not.toThrow('hunter2')
})

test('the fields that there are stand beside the refusal', () => {
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

test('what is no object of the message is refused as a whole', () => {
  expect(() => readRequest('Tools/Call', { name: 'x', arguments: 'hunter2' })).toThrow(
    'this is not a valid ToolsCallRequest',
  )
})

test('an unknown call is not there', () => {
  expect(() => readRequest('Audit/Erase', {})).toThrow('There is no such call')
})

test('a query becomes a request: numbers, booleans and lists as the message has them', () => {
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
