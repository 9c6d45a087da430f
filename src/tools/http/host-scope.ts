/**
 * The scope of `http:fetch:`: `[METHOD[,METHOD…]@]host[:port]`. The host is a name, `*.example.com` (every name below
 * it, not itself), `*` (any), an address (`127.0.0.1`, `[::1]`) or a block of addresses (`10.0.0.0/8`, `[fd00::]/8`).
 */

import { isInBlock, parseAddress, parseBlock, type Address, type AddressBlock } from './addresses.ts'
import { readHost, type Host } from './target.ts'

export interface HostScope {
  /** In upper case; absent means all. */
  readonly methods?: ReadonlySet<string>
  readonly host: HostPattern
  readonly port?: number
}

type HostPattern =
  | { readonly kind: 'any' }
  | { readonly kind: 'name' | 'below'; readonly name: string }
  | { readonly kind: 'block'; readonly block: AddressBlock; readonly text: string }

const shape = /^(?:([a-z]+(?:,[a-z]+)*)@)?(\[[^[\]]*\](?:\/\d+)?|[^:@[\]]+)(?::([1-9]\d{0,4}))?$/i

/** Undefined if it cannot be parsed: such a scope must not grant anything. */
export function parseHostScope(text: string): HostScope | undefined {
  const [, methods, written = '', portText] = shape.exec(text) ?? []
  const host = parsePattern(written)
  const port = portText === undefined ? undefined : Number(portText)
  if (host === undefined || (port !== undefined && port > 65_535)) return undefined
  return {
    ...(methods !== undefined && { methods: new Set(methods.toUpperCase().split(',')) }),
    host,
    ...(port !== undefined && { port }),
  }
}

function parsePattern(text: string): HostPattern | undefined {
  if (text === '*') return { kind: 'any' }
  if (text.includes('/')) {
    const bare = text.replace(/^\[(?=[^\]]*:)([^\]]*)\]/, '$1')
    const block = parseBlock(bare)
    const isBracketed = bare !== text
    if (block === undefined || isBracketed !== (block.family === 6)) return undefined
    return { kind: 'block', block, text }
  }
  const isBelow = text.startsWith('*.')
  const host = readHost(isBelow ? text.slice(2) : text)
  if (host === undefined) return undefined
  const { name, address } = host
  if (address === undefined) return { kind: isBelow ? 'below' : 'name', name }
  if (isBelow) return undefined
  const block = { ...address, bits: address.family === 4 ? 32 : 128 }
  return { kind: 'block', block, text: address.family === 4 ? name : `[${name}]` }
}

export function coversHost({ host: pattern }: HostScope, host: Host): boolean {
  switch (pattern.kind) {
    case 'any':
      return true
    case 'name':
      return host.name === pattern.name || (host.address !== undefined && namesLocal(pattern, host.address))
    case 'below':
      return host.address === undefined && host.name.endsWith(`.${pattern.name}`)
    case 'block':
      return host.address !== undefined && isInBlock(host.address, pattern.block)
  }
}

/** Whether the scope names this address itself, numerically or as `localhost`; a wildcard names none. */
export function namesAddress({ host: pattern }: HostScope, address: Address): boolean {
  return pattern.kind === 'block' ? isInBlock(address, pattern.block) : namesLocal(pattern, address)
}

const local = ['127.0.0.1', '::1'].map((text) => parseAddress(text)!)

function namesLocal(pattern: HostPattern, address: Address): boolean {
  if (pattern.kind !== 'name' || pattern.name !== 'localhost') return false
  return local.some(({ family, value }) => family === address.family && value === address.value)
}

/** In words that follow “may reach”. */
export function describeHost({ host }: HostScope): string {
  switch (host.kind) {
    case 'any':
      return 'any public host'
    case 'name':
      return host.name
    case 'below':
      return `every host below ${host.name}`
    case 'block':
      return host.text.includes('/') ? `the addresses ${host.text}` : `the address ${host.text}`
  }
}
