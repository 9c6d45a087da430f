/**
 * Where events may be sent: by https to any address except those reserved for data centre internals, by http to this
 * machine only.
 */

import { embeddedFour, parseAddress, specialKindOf, type Address } from '../../tools/http/addresses.ts'
import type { HostGrants } from '../../tools/http/host-grants.ts'
import { readTarget, type RequestTarget } from '../../tools/http/target.ts'

/** Includes addresses of private networks, for a company's own receiver. */
const reachable: ReadonlySet<string | undefined> = new Set([
  undefined,
  'private',
  'loopback',
  'shared (carrier-grade NAT)',
])

/** Addresses at which clouds provide credentials, in addition to link-local ones. */
const metadata = ['100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  parseAddress(text)!,
)

/** The target of a permitted URL, or the problem with it, without repeating the URL. */
export function readEndpoint(url: string): RequestTarget | string {
  const target = readTarget(url)
  if (typeof target === 'string') return target
  return endpointGrants(target).whyNot({ host: target.host, port: target.port }) ?? target
}

/** Checked by name, and again for each resolved address when sending: a name may resolve elsewhere by then. */
export function endpointGrants({ secure }: Pick<RequestTarget, 'secure'>): HostGrants {
  return {
    whyNot({ host }, address = host.address) {
      if (address === undefined) {
        const isHere = /(?:^|\.)localhost$/.test(host.name)
        return secure || isHere ? undefined : 'http is allowed only for addresses on this machine; use https'
      }
      const effective = effectiveAddress(address)
      const kind = specialKindOf(effective)
      if (!secure && kind !== 'loopback')
        return 'http is allowed only for addresses on this machine; use https'
      if (metadata.some((one) => isSame(one, effective) || isSame(one, address)))
        return resolvesTo('a metadata service')
      return reachable.has(kind) ? undefined : resolvesTo(`an address that is ${kind}`)
    },
  }
}

/** The embedded IPv4 address that the network would translate it to, if any. */
function effectiveAddress(address: Address): Address {
  return specialKindOf(address) === 'loopback' ? address : (embeddedFour(address) ?? address)
}

function resolvesTo(what: string): string {
  return `it resolves to ${what}`
}

function isSame(one: Address, other: Address): boolean {
  return one.family === other.family && one.value === other.value
}
