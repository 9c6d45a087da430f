import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4 } from 'node:net'

import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'

import { ContextdError, describeError, type ErrorObject } from '../../core/errors/errors.ts'

/** Host names that only this machine uses for us, as in a URL. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** True for addresses that other machines cannot reach. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Whether the peer is on this machine. */
export function isLoopbackPeer(address: string | undefined): boolean {
  return address !== undefined && isLoopbackHost(address.replace(/^::ffff:/i, ''))
}

/** A server that others can reach but nobody can authenticate to is a misconfiguration, so it does not start. */
export function assertListenable(host: string, hasToken: boolean): void {
  if (isLoopbackHost(host) || hasToken) return
  throw new ContextdError('LISTEN_FAILED', {
    address: host,
    cause: 'other machines can reach it and there is no agent token yet',
    hint: 'Create one with `ctxd agents token create --agent ID`, or set `http.host` to 127.0.0.1.',
  })
}

/** Host names that requests may address, and from which web pages may send them. */
export function allowedNames(host: string, configured: readonly string[]): readonly string[] {
  const everywhere = host === '0.0.0.0' || host === '::'
  const own = host.includes(':') ? `[${host}]` : host
  return [...loopbackNames, ...(everywhere ? [] : [own]), ...configured]
}

/** Protects against web pages that reach a local server under their own host name (DNS rebinding). */
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
