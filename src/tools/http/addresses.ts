/** IP addresses as numbers, address blocks, and the ranges that are not part of the public internet. */

export interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

/** All addresses that share the first `bits` bits of `value`; its other bits are zero. */
export interface AddressBlock extends Address {
  readonly bits: number
}

/**
 * Parses an address in standard notation. Short or octal forms (`127.1`, `0177.0.0.1`) are not accepted: callers that
 * allow them normalise them first. Neither are scoped addresses (`fe80::1%eth0`).
 */
export function parseAddress(text: string): Address | undefined {
  const value = text.includes(':') ? parseSix(text) : parseFour(text)
  return value === undefined ? undefined : { family: text.includes(':') ? 6 : 4, value }
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined
  }
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function parseSix(text: string): bigint | undefined {
  const halves = text.split('::').map(groupsOf)
  const [head, tail] = halves
  if (head === undefined || halves.length > 2) return undefined
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = tail === undefined ? head : [...head, ...Array<number>(missing).fill(0), ...tail]
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n)
}

/** The groups of one side of `::`; an invalid one returns nine, which is always too many. */
function groupsOf(text: string, half: number, halves: readonly string[]): number[] {
  if (text === '') return halves.length > 1 ? [] : wrong
  const parts = text.split(':')
  const last = parts.at(-1)!
  const four = last.includes('.') && half === halves.length - 1 ? parseFour(last) : undefined
  const groups = (four === undefined ? parts : parts.slice(0, -1)).map((part) =>
    /^[0-9a-f]{1,4}$/i.test(part) ? Number.parseInt(part, 16) : Number.NaN,
  )
  if (groups.some(Number.isNaN)) return wrong
  return four === undefined ? groups : [...groups, Number(four >> 16n), Number(four & 0xffffn)]
}
const wrong: number[] = Array<number>(9).fill(0)

/** `10.0.0.0/8`, or one address. A block with host bits set is a mistake and rejected. */
export function parseBlock(text: string): AddressBlock | undefined {
  const [start = '', length, more] = text.split('/')
  const address = parseAddress(start)
  if (address === undefined || more !== undefined) return undefined
  const width = widthOf(address)
  if (length === undefined) return { ...address, bits: width }
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length) || Number(length) > width) return undefined
  const block = { ...address, bits: Number(length) }
  return (address.value & ((1n << BigInt(width - block.bits)) - 1n)) === 0n ? block : undefined
}

export function isInBlock(address: Address, block: AddressBlock): boolean {
  if (address.family !== block.family) return false
  const shift = BigInt(widthOf(block) - block.bits)
  return address.value >> shift === block.value >> shift
}

function widthOf({ family }: Address): 32 | 128 {
  return family === 4 ? 32 : 128
}

/** Ranges that lead to this machine, its neighbours or nowhere, by name. */
const specialFour = ranges({
  unspecified: ['0.0.0.0/8'],
  loopback: ['127.0.0.0/8'],
  'link-local': ['169.254.0.0/16'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'shared (carrier-grade NAT)': ['100.64.0.0/10'],
  multicast: ['224.0.0.0/4'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  'reserved for protocols': ['192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '240.0.0.0/4'],
})

const specialSix = ranges({
  unspecified: ['::/128'],
  loopback: ['::1/128'],
  'IPv4-mapped': ['::ffff:0:0/96'],
  'IPv4-translated': ['::ffff:0:0:0/96'],
  'IPv4-compatible': ['::/96'],
  NAT64: ['64:ff9b::/96', '64:ff9b:1::/48'],
  Teredo: ['2001::/32'],
  '6to4': ['2002::/16'],
  'link-local': ['fe80::/10'],
  private: ['fc00::/7', 'fec0::/10'],
  multicast: ['ff00::/8'],
  documentation: ['2001:db8::/32', '3fff::/20'],
  'reserved for protocols': ['2001::/23'],
})

/** The only range from which public IPv6 addresses are assigned. */
const publicSix = parseBlock('2000::/3')!

/** The kind of an address that is not on the public internet. */
export function specialKindOf(address: Address): string | undefined {
  const special = address.family === 4 ? specialFour : specialSix
  const found = special.find(({ block }) => isInBlock(address, block))
  if (found !== undefined) return found.kind
  return address.family === 6 && !isInBlock(address, publicSix) ? 'reserved' : undefined
}

function ranges(
  blocks: Readonly<Record<string, readonly string[]>>,
): { kind: string; block: AddressBlock }[] {
  return Object.entries(blocks).flatMap(([kind, texts]) =>
    texts.map((text) => ({ kind, block: parseBlock(text)! })),
  )
}

/** IPv6 ranges that embed an IPv4 address, with its bit offset from the right. */
const carriers = [
  { block: parseBlock('::ffff:0:0/96')!, shift: 0n },
  { block: parseBlock('::ffff:0:0:0/96')!, shift: 0n },
  { block: parseBlock('::/96')!, shift: 0n },
  { block: parseBlock('64:ff9b::/96')!, shift: 0n },
  { block: parseBlock('64:ff9b:1::/48')!, shift: 0n },
  { block: parseBlock('2002::/16')!, shift: 80n },
  // The client's address, with all bits inverted.
  { block: parseBlock('2001::/32')!, shift: 0n, inverted: true },
]

/** The IPv4 address that a translating network would derive from this one. */
export function embeddedFour(address: Address): Address | undefined {
  const carrier = carriers.find(({ block }) => isInBlock(address, block))
  if (carrier === undefined) return undefined
  const value = (address.value >> carrier.shift) & 0xffff_ffffn
  return { family: 4, value: carrier.inverted === true ? value ^ 0xffff_ffffn : value }
}
