import { createHmac } from 'node:crypto'

import { expect, test } from 'vitest'

import { headersFor } from './deliver.ts'

test('the receiver can verify the signature as described in the guide', () => {
  const body = '{"id":"1","event":"refusal"}'
  const headers = headersFor({ id: '1', event: 'refusal', body }, 'whsec_x', 1_763_208_000_999)
  const expected = createHmac('sha256', 'whsec_x').update(`1763208000.${body}`).digest('hex')
  expect(headers).toEqual({
    'content-type': 'application/json',
    'contextd-event': 'refusal',
    'contextd-delivery': '1',
    'contextd-timestamp': '1763208000',
    'contextd-signature': `v1=${expected}`,
  })
})

test('another body, time or secret has another signature', () => {
  const sign = (body: string, secret: string, now: number): string | undefined =>
    headersFor({ id: '1', event: 'x', body }, secret, now)['contextd-signature']
  const all = [sign('a', 's', 1000), sign('b', 's', 1000), sign('a', 't', 1000), sign('a', 's', 2000)]
  expect(new Set(all).size).toBe(4)
  expect(sign('a', 's', 1000)).toBe(sign('a', 's', 1001))
})
