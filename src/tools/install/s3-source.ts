/** The URL of an object in S3 or a compatible store, and the signature of the request. */

import { ContextdError } from '../../core/errors/errors.ts'
import { addressProblem } from './source.ts'
import { signRequest, type S3Keys } from './sign-request.ts'

export interface S3Request {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const ofAmazon = /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com$/

/** `place` is `bucket/key` or a URL. Without keys in the environment the request is not signed. Throws USAGE. */
export function s3Request(place: string, env: NodeJS.ProcessEnv, now: Date): S3Request {
  const url = new URL(addressOf(place, env))
  const keys = keysOf(env)
  const region = ofAmazon.exec(url.hostname)?.[1] ?? regionOf(env)
  return { url: url.href, headers: keys === undefined ? {} : signRequest({ url, region, keys, now }) }
}

function addressOf(place: string, env: NodeJS.ProcessEnv): string {
  const address = /^https?:/i.test(place) ? place : addressOfKey(place, env)
  const problem = addressProblem(address) ?? encodingProblem(address)
  if (problem !== undefined) throw new ContextdError('USAGE', { problem })
  return address
}

/** The signature covers the decoded path. */
function encodingProblem(address: string): string | undefined {
  try {
    decodeURIComponent(new URL(address).pathname)
    return undefined
  } catch {
    return 'the URL contains an invalid % escape'
  }
}

function addressOfKey(place: string, env: NodeJS.ProcessEnv): string {
  const [, bucket = '', key = ''] = /^([^/]+)\/(.+)$/.exec(place) ?? []
  if (!bucketPattern.test(bucket) || key.split('/').some((part) => part === '.' || part === '..'))
    throw new ContextdError('USAGE', {
      problem: 's3:: must be followed by a bucket and a key: s3::bucket/path/tool.tar.gz',
    })
  const path = key.split('/').map(encodeURIComponent).join('/')
  const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL
  if (endpoint) return `${endpoint.replace(/(?<!\/)\/+$/, '')}/${bucket}/${path}`
  const host = `s3.${regionOf(env)}.amazonaws.com`
  // A certificate for *.s3… does not cover a name with dots.
  return bucket.includes('.') ? `https://${host}/${bucket}/${path}` : `https://${bucket}.${host}/${path}`
}

function regionOf(env: NodeJS.ProcessEnv): string {
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  if (!/^[a-z0-9-]{1,40}$/.test(region))
    throw new ContextdError('USAGE', { problem: 'AWS_REGION is not a valid region' })
  return region
}

function keysOf({
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN,
}: NodeJS.ProcessEnv): S3Keys | undefined {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined
  return {
    id: AWS_ACCESS_KEY_ID,
    secret: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { session: AWS_SESSION_TOKEN }),
  }
}
