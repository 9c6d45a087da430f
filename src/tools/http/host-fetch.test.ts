import { expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { createEgress } from './egress.ts'
import { hostFetch } from './host-fetch.ts'

const egress = createEgress({
  timeMs: 1000,
  responseBytes: 1000,
  report: () => {},
  lookup: () => Promise.reject(new Error('nothing here gets as far as a name')),
})
const fetch = hostFetch(egress, aCall({ grants: [{ kind: 'http:fetch' }] }))

test.each<[string, string, JsonObject]>([
  ['url', 'ftp://a.example/', {}],
  ['method', 'http://a.example/', { method: 'CONNECT' }],
  ['method', 'http://a.example/', { method: 1 }],
  ['headers', 'http://a.example/', { headers: { host: 'b.example' } }],
  ['body', 'http://a.example/', { body: 1 }],
  ['(unknown)', 'http://a.example/', { hush: 1 }],
])('names %s as what is wrong', async (field, url, init) => {
  await expect(fetch(url, init)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    details: { fields: [{ field }] },
  })
})
