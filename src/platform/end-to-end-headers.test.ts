import { expect, it } from 'vitest'

import { endToEndHeaders } from './end-to-end-headers.ts'

it('drops what belongs to one connection, in any case and order', () => {
  const raw = [
    'X-Own',
    '1',
    'TE',
    'trailers',
    'Connection',
    'close, X-Own',
    'connection',
    'x-other',
    'X-Other',
    '2',
  ]
  expect(endToEndHeaders([...raw, 'Host', 'a', 'X-Kept', '3', 'x-kept', '4'])).toEqual([
    ['Host', 'a'],
    ['X-Kept', '3'],
    ['x-kept', '4'],
  ])
  // Without a `Connection` that names them, they are headers of the message.
  expect(endToEndHeaders(['X-Own', '1', 'X-Other', '2'])).toHaveLength(2)
})
