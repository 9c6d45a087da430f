import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { makeZip } from '@contextd/shared/testing/archives'
import { temporaryFolder } from '../../../test/support/audit.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import { openSource } from './open-source.ts'
import { s3Request } from './s3-source.ts'
import { parseSource } from './source.ts'

const web = webServers()
const keys = { AWS_ACCESS_KEY_ID: 'KEYOFADA', AWS_SECRET_ACCESS_KEY: 'not a real key' }
const archive = makeZip([{ name: 'run.sh', content: '#!/bin/sh\n', mode: 0o100755 }])

/** Works the signature out from what arrived, in its own way. */
function isSigned(request: IncomingMessage, secret: string, region: string): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/
  const [, id, day = '', zone = '', signed = '', signature] =
    pattern.exec(request.headers.authorization ?? '') ?? []
  const time = String(request.headers['x-amz-date'])
  const body = String(request.headers['x-amz-content-sha256'])
  const isFresh =
    Math.abs(Date.now() - Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))) <
    900_000
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || name.startsWith('x-amz-'),
  )
  if (id !== keys.AWS_ACCESS_KEY_ID || !isFresh || !time.startsWith(day) || zone !== region) return false
  if (body !== createHash('sha256').digest('hex') || mustBeSigned.sort().join(';') !== signed) return false
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const strict = (text: string): string =>
    [...Buffer.from(decodeURIComponent(text))]
      .map((byte) =>
        /[\w.~-]/.test(String.fromCharCode(byte)) && byte < 128
          ? String.fromCharCode(byte)
          : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      )
      .join('')
  const lines = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = `GET\n${path.split('/').map(strict).join('/')}\n${query}\n${lines.join('')}\n${signed}\n${body}`
  const scope = `${day}/${region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`
  const mac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
  const key = mac(mac(mac(mac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
  return createHmac('sha256', key).update(text).digest('hex') === signature
}

async function store(isOpen = false): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = []
  const port = await web.serve((request, response) => {
    asked.push(request.url ?? '')
    if (!isOpen && !isSigned(request, keys.AWS_SECRET_ACCESS_KEY, 'eu-north-1')) response.statusCode = 403
    response.end(response.statusCode === 200 ? archive : '<Error><Code>SignatureDoesNotMatch</Code></Error>')
  })
  return { port, asked }
}

async function fetch(place: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const project = temporaryFolder()
  const [work, into] = [join(project, 'work'), join(project, 'into')]
  for (const folder of [work, into]) mkdirSync(folder)
  const resolved = await openSource(parseSource(`s3::${place}`), { project, env, work }).resolve()
  await resolved.fetch(into)
  expect(resolved.revision).toBe(`sha256:${createHash('sha256').update(archive).digest('hex')}`)
  return readdirSync(into)
}

describe('an object in S3', () => {
  it('is fetched with a signature that a strict server accepts', async () => {
    const { port, asked } = await store()
    const env = { ...keys, AWS_REGION: 'eu-north-1', AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}/` }
    expect(await fetch('my-tools/a dir/wetter+größe (1).zip', env)).toEqual(['run.sh'])
    expect(asked).toEqual(['/my-tools/a%20dir/wetter%2Bgr%C3%B6%C3%9Fe%20(1).zip'])
    expect(await fetch(`http://127.0.0.1:${port}/my-tools/weather.zip`, env)).toEqual(['run.sh'])
    expect(await fetch('my-tools/weather.zip', { ...env, AWS_SESSION_TOKEN: 'for a while/==' })).toEqual([
      'run.sh',
    ])
  })

  it.each([
    ['another secret', { AWS_SECRET_ACCESS_KEY: 'another' }],
    ['another region', { AWS_REGION: 'us-west-2' }],
    ['no keys', { AWS_ACCESS_KEY_ID: '' }],
  ])('is not given out to %s', async (_, other) => {
    const { port } = await store()
    const env = { ...keys, AWS_REGION: 'eu-north-1', AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, ...other }
    await expect(fetch('my-tools/weather.zip', env)).rejects.toThrow(/status 403/)
  })

  it('that is open to all needs no keys', async () => {
    const { port } = await store(true)
    expect(await fetch('my-tools/weather.zip', { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` })).toEqual([
      'run.sh',
    ])
  })

  it('has its own URL', () => {
    const of = (place: string, env: NodeJS.ProcessEnv = {}): string => s3Request(place, env, new Date(0)).url
    expect(of('my-tools/a/w.zip')).toBe('https://my-tools.s3.us-east-1.amazonaws.com/a/w.zip')
    expect(of('my.tools/w.zip', { AWS_DEFAULT_REGION: 'eu-west-1' })).toBe(
      'https://s3.eu-west-1.amazonaws.com/my.tools/w.zip',
    )
    expect(of('https://my-tools.s3.eu-west-1.amazonaws.com/w.zip')).toBe(
      'https://my-tools.s3.eu-west-1.amazonaws.com/w.zip',
    )
    for (const place of ['w.zip', 'UPPER/w.zip', 'my-tools/../w.zip', 'http://example.com/b/w.zip', '-x/w'])
      expect(() => of(place)).toThrow()
    for (const env of [{}, keys])
      expect(() => of('https://example.com/b/%zz.zip', env)).toThrow(/invalid % escape/)
    expect(of('https://example.com/b/%20.zip', keys)).toBe('https://example.com/b/%20.zip')
  })

  it('is signed for the region in its address', () => {
    const { headers } = s3Request('https://my-tools.s3.eu-west-1.amazonaws.com/w.zip', keys, new Date(0))
    expect(headers.authorization).toContain('/19700101/eu-west-1/s3/')
    expect(Object.keys(headers).sort()).toEqual(['authorization', 'x-amz-content-sha256', 'x-amz-date'])
  })
})
