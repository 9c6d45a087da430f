/** A payload signed by a client's plugin: `v1.<base64url JSON>.<base64url HMAC-SHA-256>`. */

import { createHmac, timingSafeEqual } from 'node:crypto'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'

/** More than a call needs to arrive, but too short to reuse one found in a history. */
export const signedLifetimeMs = 30_000

/** Session and instance ids of clients. */
export const idPattern = /^[A-Za-z0-9_-]{1,128}$/

const maxLength = 2048
const format = /^v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

/** What is wrong, without quoting anything. */
export interface Problem {
  readonly problem: string
}

export const unexpectedPayload: Problem = { problem: 'unexpected payload' }

/** The payload if the signature is valid. */
export function openSigned(text: unknown, key: Uint8Array): { readonly payload: JsonObject } | Problem {
  if (typeof text !== 'string' || text.length > maxLength) return { problem: 'it is malformed' }
  const [, payload, signature] = format.exec(text) ?? []
  if (payload === undefined || signature === undefined) return { problem: 'it is malformed' }
  const signed = createHmac('sha256', key).update(`v1.${payload}`).digest('base64url')
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signed)))
    return { problem: 'its signature is invalid' }
  const value = decoded(payload)
  return isJsonObject(value) ? { payload: value } : unexpectedPayload
}

function decoded(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  } catch {
    return undefined
  }
}

export function lifetimeProblem(expires: number, now: number): Problem | undefined {
  if (expires <= now) return { problem: 'it has expired' }
  if (expires > now + signedLifetimeMs) return { problem: 'its lifetime is too long' }
  return undefined
}

export function isMatch(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}
