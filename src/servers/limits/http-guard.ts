import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4 } from 'node:net'

import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'

import { ContextdError, describeError, type ErrorObject } from '../../core/errors/errors.ts'

/** Names by which only this machine reaches us, as they stand in a URL. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** True for addresses that no other machine can reach. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Whether the other end of a connection is on this machine. */
export function isLoopbackPeer(address: string | undefined): boolean {
  return address !== undefined && isLoopbackHost(address.replace(/^::ffff:/i, ''))
}

/** A server that others can reach and nobody can log in to is a mistake, so it does not start. */
export function assertListenable(host: string, hasToken: boolean): void {
  if (isLoopbackHost(host) || hasToken) return
  throw new ContextdError('LISTEN_FAILED', {
    address: host,
    cause: 'other machines can reach it and there is no agent token yet',
    hint: 'Make one with `ctxd agents token create --agent ID`, or set `http.host` to 127.0.0.1.',
  })
}

/** The host names that requests may be addressed to and that web pages may come from. */
export function allowedNames(host: string, configured: readonly string[]): readonly string[] {
  const everywhere = host === '0.0.0.0' || host === '::'
  const own = host.includes(':') ? `[${host}]` : host
  return [...loopbackNames, ...(everywhere ? [] : [own]), ...configured]
}

/** Stops web pages that reach a local server by a name of their own (DNS rebinding). */
export function checkOrigin(
  headers: IncomingHttpHeaders,
  allowed: readonly string[],
): ErrorObject | undefined {
  const names = [...allowed]
  const passes = validateHostHeader(headers.host, names).ok && validateOriginHeader(headers.origin, names).ok
  return passes ? undefined : describeError('FORBIDDEN_ORIGIN')
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1]
}
