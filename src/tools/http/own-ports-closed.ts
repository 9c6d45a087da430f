/** Keeps requests from contextd's own ports, as a tunnel to one would be a connection like any other. */

import { networkInterfaces } from 'node:os'

import { ownPortReason } from '../../platform/own-ports.ts'
import { embeddedFour, parseAddress, specialKindOf, type Address } from './addresses.ts'
import type { HostGrants } from './host-grants.ts'

/** The same grants, without these ports of this machine. */
export function exceptOwnPorts(grants: HostGrants, isOwnPort: (port: number) => boolean): HostGrants {
  return {
    whyNot(destination, address = destination.host.address) {
      const reason = grants.whyNot(destination, address)
      if (reason !== undefined || address === undefined) return reason
      return isOwnPort(destination.port) && isThisMachine(address) ? ownPortReason : undefined
    },
  }
}

/** Also by its addresses in networks, as contextd may listen there. A connection to no address is one to itself. */
function isThisMachine(address: Address): boolean {
  const own = Object.values(networkInterfaces())
    .flat()
    .map((one) => parseAddress(one?.address ?? ''))
  return [address, embeddedFour(address)].some(
    (one) =>
      one !== undefined &&
      (['loopback', 'unspecified'].includes(specialKindOf(one) ?? '') ||
        own.some((each) => each?.family === one.family && each.value === one.value)),
  )
}
