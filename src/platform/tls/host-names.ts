/** The names by which a server is reached, in canonical form. */

import type { X509Certificate } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

const dnsName =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** A host name or address as used in certificates; undefined for anything else. */
export function plainHost(host: string): string | undefined {
  if (isIPv4(host)) return host
  // The URL parser accepts every notation of an address and returns the canonical one.
  if (isIPv6(host)) return host.includes('%') ? undefined : new URL(`http://[${host}]`).hostname.slice(1, -1)
  const name = host.toLowerCase()
  return dnsName.test(name) ? name : undefined
}

/** The host names and addresses in a server certificate. */
export function certificateHosts({ subjectAltName }: X509Certificate): string[] {
  return (subjectAltName ?? '')
    .split(', ')
    .map((name) => plainHost(name.replace(/^(?:DNS|IP Address):/, '')))
    .filter((host) => host !== undefined)
}

/** Expects the canonical form of `plainHost`, which omits zeros. */
export function ipv6Bytes(address: string): Buffer {
  const [before = [], after = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
