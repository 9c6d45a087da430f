/** Where events may be sent: by https to anywhere but what only machines in a data centre answer, by http to this machine. */

import { embeddedFour, parseAddress, specialKindOf, type Address } from '../../tools/http/addresses.ts'
import type { HostGrants } from '../../tools/http/host-grants.ts'
import { readTarget, type RequestTarget } from '../../tools/http/target.ts'

/** Also reached by a company's own receiver: that one may stand in a private network. */
const reachable: ReadonlySet<string | undefined> = new Set([
  undefined,
  'private',
  'loopback',
  'shared (carrier-grade NAT)',
])

/** Where clouds hand out credentials, besides the link-local ones. */
const metadata = ['100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  parseAddress(text)!,
)

/** The target of an address that may be told of events, or what is wrong with it in words that repeat none of it. */
export function readEndpoint(url: string): RequestTarget | string {
  const target = readTarget(url)
  if (typeof target === 'string') return target
  return endpointGrants(target).whyNot({ host: target.host, port: target.port }) ?? target
}

/** Asked by name, and again for each address when something is sent: a name may lead elsewhere by then. */
export function endpointGrants({ secure }: Pick<RequestTarget, 'secure'>): HostGrants {
  return {
    whyNot({ host }, address = host.address) {
      if (address === undefined) {
        const isHere = /(?:^|\.)localhost$/.test(host.name)
        return secure || isHere ? undefined : 'only an address on this machine is told by http; use https'
      }
      const meant = meantBy(address)
      const kind = specialKindOf(meant)
      if (!secure && kind !== 'loopback') return 'only an address on this machine is told by http; use https'
      if (metadata.some((one) => isSame(one, meant) || isSame(one, address)))
        return leadsTo('a metadata service')
      return reachable.has(kind) ? undefined : leadsTo(`an address that is ${kind}`)
    },
  }
}

/** The IPv4 address inside, where the network on the way would make one of it. */
function meantBy(address: Address): Address {
  return specialKindOf(address) === 'loopback' ? address : (embeddedFour(address) ?? address)
}

function leadsTo(what: string): string {
  return `it leads to ${what}`
}

function isSame(one: Address, other: Address): boolean {
  return one.family === other.family && one.value === other.value
}
