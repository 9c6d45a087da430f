import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { testMasker, type TestMasker } from '../../test/support/request-masker.ts'
import type { Json } from '@contextd/shared/json/value'

/** No rule detects it. */
const value = 'Quite-Private-8812'
const words = 'some ordinary words of a text. '
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')

const forms: Readonly<Record<string, string>> = {
  'as it is': `see ${value} here`,
  'in base64': `the key ${base64(value)} here`,
  'in lines of base64': base64(`${words.repeat(4)}it is ${value}. ${words.repeat(4)}`).replace(
    /.{76}/g,
    '$&\n',
  ),
  'in base64 of URLs': Buffer.from(`\u00ff?>${words}it is ${value}>>`).toString('base64url'),
  'in UTF-16 in base64': base64(Buffer.from(`it is ${value}, no more`, 'utf16le')),
  compressed: base64(gzipSync(`it is ${value}, no more`)),
  'compressed after data that looks compressed': base64(gzipSync(`x ${value} y`)),
  'in hexadecimal digits': Buffer.from(`it is ${value}`).toString('hex').replace(/../g, '$& '),
  'in a URL': encodeURIComponent(`it is ${value}`).replaceAll('-', '%2D'),
  escaped: Array.from(value, (char) => `\\u00${char.charCodeAt(0).toString(16)}`).join(''),
  'in JSON in JSON': JSON.stringify(JSON.stringify({ note: `\u00e9 "${value}"` })),
  backwards: Array.from(value).toReversed().join(''),
  'in lines': value.replace(/.{6}/g, '$&\n'),
  'with invisible characters': Array.from(value).join('\u200b'),
  'in a text that is scrubbed in parts': `${words.repeat(34_500)}${value} ${words}`,
}

const requestOf = (...content: Json[]): string => JSON.stringify({ messages: [{ role: 'user', content }] })
/** In every kind of place. */
const places = (text: string): Json[] => [
  { type: 'text', text },
  { type: 'tool_use', id: 't1', name: 'f', input: { [text]: 1, command: text, list: [{ a: [text] }] } },
  { type: 'tool_result', tool_use_id: 't1', content: text },
  { type: 'document', source: { type: 'base64', media_type: 'text/plain', data: base64(text) } },
  { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } },
]
const telling: Json = { type: 'text', text: `password = "${value}"` }

/** Every string of the request including field names, and their base64 decodings. */
function textsOf(body: string): string {
  const texts: string[] = []
  JSON.parse(body, (name: string, item: unknown) => {
    for (const text of [name, ...(typeof item === 'string' ? [item] : [])])
      texts.push(text, Buffer.from(text, 'base64').toString())
    return item
  })
  return texts.join('\n')
}

type Learn = (masker: TestMasker, request: Json[]) => Promise<Json[]>
const sources: Readonly<Record<string, Learn>> = {
  'outside of a request': async ({ engine }, request) => {
    engine.know(value, 'set')
    return request
  },
  'among very many': async ({ engine }, request) => {
    engine.know(value, 'set')
    for (let i = 0; i < 40; i++) engine.know(`Fa${i}x-9Lq${i * 7919}-Zt${i}z`, 'set')
    return request
  },
  'in another session': async ({ mask }, request) => {
    await mask(requestOf(telling), { whose: { tenant: 'local', session: 's2', reader: 'main' } })
    return request
  },
  'at the end of the request': async (_, request) => [...request, telling],
}

describe.each(Object.entries(forms))('a string with a value %s', (_, text) => {
  test.each(Object.entries(sources))('is masked once the value becomes known %s', async (__, learn) => {
    const masker = testMasker()
    const request = places(text)
    expect(textsOf((await masker.mask(requestOf(...request))).body)).toContain(text)
    const later = requestOf(...(await learn(masker, request)))
    const { body } = await masker.mask(later)
    expect(textsOf(body).includes(text)).toBe(false)
    expect(textsOf(body).includes(value)).toBe(false)
    expect(body === (await masker.maskAnew(later)).body).toBe(true)
  })
})
