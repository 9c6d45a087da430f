/** Keeps requests from contextd's own ports, as a tunnel to one would be a connection like any other. */

import { networkInterfaces } from 'node:os'

import { readSmallText } from '@contextd/shared/files/small-file'
import { ownPortReason } from '../../platform/own-ports.ts'
import {
  embeddedFour,
  isInBlock,
  parseAddress,
  parseBlock,
  specialKindOf,
  type Address,
  type AddressBlock,
} from './addresses.ts'
import type { HostGrants } from './host-grants.ts'

/** The same grants, without these ports of this machine. */
export function exceptOwnPorts(
  grants: HostGrants,
  isOwnPort: (port: number) => boolean,
  ownBlocks: () => readonly AddressBlock[] = blocksOfThisMachine,
): HostGrants {
  return {
    whyNot(destination, address = destination.host.address) {
      const reason = grants.whyNot(destination, address)
      if (reason !== undefined || address === undefined) return reason
      return isOwnPort(destination.port) && isThisMachine(address, ownBlocks()) ? ownPortReason : undefined
    },
  }
}

/** Also by its addresses in networks, as contextd may listen there. A connection to no address is one to itself. */
function isThisMachine(address: Address, own: readonly AddressBlock[]): boolean {
  return [address, embeddedFour(address)].some(
    (one) =>
      one !== undefined &&
      (['loopback', 'unspecified'].includes(specialKindOf(one) ?? '') ||
        own.some((block) => isInBlock(one, block))),
  )
}

/**
 * Linux also answers at addresses that Node does not list: those of an interface without a link, such as a bridge of
 * containers that have stopped, and whole blocks that are routed to it. Its routing tables have all of them.
 */
function blocksOfThisMachine(): readonly AddressBlock[] {
  const listed = Object.values(networkInterfaces()).flat()
  return [
    ...listed.flatMap((one) => parseBlock(one?.address ?? '') ?? []),
    ...localBlocks(readTable('fib_trie'), readTable('ipv6_route')),
  ]
}

function readTable(name: string): string {
  try {
    return readSmallText(`/proc/net/${name}`) ?? ''
  } catch {
    return ''
  }
}

/** Addresses of this machine in `fib_trie` and `ipv6_route`. Pure. */
export function localBlocks(four: string, six: string): AddressBlock[] {
  const blocks: AddressBlock[] = []
  let start = ''
  for (const line of four.split('\n')) {
    start = /\|-- ([\d.]{7,15})$/.exec(line)?.[1] ?? start
    const [, bits] = /^ {1,200}\/(\d{1,2}) host LOCAL$/.exec(line) ?? []
    const block = bits === undefined ? undefined : parseBlock(`${start}/${bits}`)
    if (block !== undefined) blocks.push(block)
  }
  for (const line of six.split('\n')) {
    const [target = '', bits = '', , , , , , , flags = ''] = line.trim().split(/ {1,20}/)
    if ((Number.parseInt(flags, 16) & localRoute) === 0) continue
    const address = parseAddress((target.match(/.{4}/g) ?? []).join(':'))
    if (address !== undefined) blocks.push({ ...address, bits: Number.parseInt(bits, 16) })
  }
  return blocks
}

/** `RTF_LOCAL` and `RTF_ANYCAST`. */
const localRoute = 0x8000_0000 | 0x0010_0000
