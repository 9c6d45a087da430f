/** Signs a GET request to S3 (AWS Signature Version 4). Pure. */

import { createHash, createHmac } from 'node:crypto'

export interface S3Keys {
  readonly id: string
  readonly secret: string
  /** For temporary keys. */
  readonly session?: string
}

export interface RequestToSign {
  readonly url: URL
  readonly region: string
  readonly keys: S3Keys
  readonly now: Date
}

const algorithm = 'AWS4-HMAC-SHA256'
const emptyBody = createHash('sha256').digest('hex')

/** The headers to send in addition to `host`. */
export function signRequest({ url, region, keys, now }: RequestToSign): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const headers: Record<string, string> = {
    host: url.host,
    'x-amz-content-sha256': emptyBody,
    'x-amz-date': time,
    ...(keys.session !== undefined && { 'x-amz-security-token': keys.session }),
  }
  const names = Object.keys(headers).sort()
  const canonical = [
    'GET',
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    emptyBody,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = [algorithm, time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${keys.secret}`,
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `${algorithm} Credential=${keys.id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** Encoded exactly once, however it was written. */
function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')
}

function canonicalQuery(query: URLSearchParams): string {
  return Array.from(query, ([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
