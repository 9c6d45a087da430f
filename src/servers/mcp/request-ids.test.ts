import { expect, test } from 'vitest'

import { beginBody, createRequestIds } from './request-ids.ts'

const request = (id: number | string, method = 'ping') => ({ jsonrpc: '2.0', id, method })
const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
const inUse = (id: number | string) => ({
  id,
  error: expect.objectContaining({ data: expect.objectContaining({ code: 'REQUEST_ID_IN_USE' }) }),
})

test('an id is in use until it ends; a number differs from its text', () => {
  const ids = createRequestIds()
  expect(ids.begin(1)).toBeUndefined()
  expect(ids.begin('1')).toBeUndefined()
  expect(ids.begin(1)).toMatchObject({ code: 'REQUEST_ID_IN_USE' })
  ids.end(1)
  expect(ids.begin(1)).toBeUndefined()
  expect(ids.begin('1')).toMatchObject({ code: 'REQUEST_ID_IN_USE' })
})

test('in a batch, the first of two equal ids passes, and releases only its own', () => {
  const ids = createRequestIds()
  const other = beginBody(ids, request(7))
  const { body, refused, end } = beginBody(ids, [
    request(1, 'a'),
    note,
    request(1, 'b'),
    request(7),
    request(2),
  ])
  expect(body).toEqual([request(1, 'a'), note, request(2)])
  expect(refused).toMatchObject([inUse(1), inUse(7)])
  end()
  expect(beginBody(ids, request(1)).refused).toEqual([])
  expect(beginBody(ids, request(7)).refused).toHaveLength(1)
  other.end()
  expect(beginBody(ids, request(7)).refused).toEqual([])
})

test('a body without remaining messages is undefined; notifications remain', () => {
  const ids = createRequestIds()
  beginBody(ids, request(1))
  expect(beginBody(ids, request(1))).toMatchObject({ body: undefined, refused: [inUse(1)] })
  expect(beginBody(ids, [request(1), request(1)])).toMatchObject({
    body: undefined,
    refused: [inUse(1), inUse(1)],
  })
  expect(beginBody(ids, [note, request(1)])).toMatchObject({ body: [note], refused: [inUse(1)] })
  expect(beginBody(ids, note)).toMatchObject({ body: note, refused: [] })
  expect(beginBody(ids, [note])).toMatchObject({ body: [note], refused: [] })
})
