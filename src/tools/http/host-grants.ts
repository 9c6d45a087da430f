import type { Capability } from '../../core/capability.ts'
import { ownPortReason } from '../../platform/own-ports.ts'
import { embeddedFour, specialKindOf, type Address } from './addresses.ts'
import { coversHost, describeHost, namesAddress, parseHostScope, type HostScope } from './host-scope.ts'
import type { Host } from './target.ts'

export interface GrantedDestination {
  /** In upper case; absent if it cannot be known, as inside a tunnel. */
  readonly method?: string
  /** Methods that a body or an override adds; each must be granted. */
  readonly otherMethods?: readonly string[]
  readonly host: Host
  readonly port: number
}

export interface HostGrants {
  /**
   * Why a request may not go there, without repeating any of it; undefined if it may. Called with the name before it is
   * resolved, then with every address it resolves to. An address outside the public internet is reachable only if a
   * grant names that address or a block containing it, and the name is granted too.
   */
  whyNot(destination: GrantedDestination, address?: Address): string | undefined
}

interface Grant {
  readonly scope: HostScope
  readonly except: readonly HostScope[]
}

/** The ports of a grant without one. An exclusion without a port excludes all ports. */
const usualPorts: ReadonlySet<number> = new Set([80, 443])

const excluded = 'a deny rule excludes it'

export function compileHostGrants(capabilities: readonly Capability[]): HostGrants {
  const grants = capabilities.flatMap((capability) => readGrant(capability) ?? [])
  return {
    whyNot(destination, address = destination.host.address) {
      const named = grants.filter(({ scope }) => coversHost(scope, destination.host))
      if (named.length === 0) return 'no grant covers this host'
      const onPort = named.filter(({ scope }) => coversPort(scope, destination))
      if (onPort.length === 0) return 'the host is granted on other ports only'
      const open = onPort.filter(({ scope }) => coversMethod(scope, destination))
      if (open.length === 0) return whyNotMethod(destination)
      if (!open.some((grant) => !isExcluded(grant, destination, address))) return excluded

      const kind = address && specialKindOf(address)
      if (address === undefined || kind === undefined) return undefined
      const isNamed = grants.some(
        (grant) =>
          namesAddress(grant.scope, address) &&
          coversPort(grant.scope, destination) &&
          coversMethod(grant.scope, destination) &&
          !isExcluded(grant, destination, address),
      )
      if (isNamed) return undefined
      return `it resolves to an address that is ${kind}, which must be granted by address (http:fetch:<address>:<port>)`
    },
  }
}

/**
 * The grant to add where `whyNot` gave this reason: for the host, or for the address it resolves to. None can overrule
 * a deny rule, or open a port of contextd.
 */
export function missingGrant(
  reason: string,
  { host, port }: GrantedDestination,
  address = host.name,
): string | undefined {
  if (reason === excluded || reason === ownPortReason) return undefined
  const name = address.includes(':') ? `[${address}]` : address
  return `http:fetch:${name}${usualPorts.has(port) ? '' : `:${port}`}`
}

/** A grant with any unparseable part grants nothing: the part could be an exclusion. */
function readGrant({ kind, scope = '*', except = [] }: Capability): Grant | undefined {
  const own = kind === 'http:fetch' ? parseHostScope(scope) : undefined
  const exceptions = except.flatMap((text) => parseHostScope(text) ?? [])
  return own === undefined || exceptions.length < except.length
    ? undefined
    : { scope: own, except: exceptions }
}

function coversPort({ port }: HostScope, destination: GrantedDestination): boolean {
  return port === undefined ? usualPorts.has(destination.port) : port === destination.port
}

function coversMethod({ methods }: HostScope, { method, otherMethods = [] }: GrantedDestination): boolean {
  if (methods === undefined) return true
  return method !== undefined && [method, ...otherMethods].every((one) => methods.has(one))
}

function takesMethod({ methods }: HostScope, { method, otherMethods = [] }: GrantedDestination): boolean {
  // An unknown method could be the excluded one.
  if (methods === undefined || method === undefined) return true
  return [method, ...otherMethods].some((one) => methods.has(one))
}

function whyNotMethod({ method, otherMethods = [] }: GrantedDestination): string {
  if (method === undefined) {
    return 'it is granted for some methods only, and the method is not visible inside an encrypted connection'
  }
  return otherMethods.length === 0
    ? 'the host is granted for other methods only'
    : 'the host is granted for some methods only, and a body with GET, HEAD or OPTIONS or a method override asks for others'
}

function isExcluded(
  { except }: Grant,
  destination: GrantedDestination,
  address: Address | undefined,
): boolean {
  const addresses = address === undefined ? [] : [address, embeddedFour(address)]
  return except.some(
    (scope) =>
      (scope.port === undefined || scope.port === destination.port) &&
      takesMethod(scope, destination) &&
      (coversHost(scope, destination.host) ||
        addresses.some((one) => one !== undefined && namesAddress(scope, one))),
  )
}

/** The hosts a grant allows, in words that follow “may”. */
export function describeGrant(capability: Capability): string {
  const grant = readGrant(capability)
  if (grant === undefined) return 'reach no host: the grant is invalid'
  const { scope, except } = grant
  const ports = scope.port === undefined ? 'ports 80 and 443' : `port ${scope.port}`
  const exceptions = except.map((one) => describeHost(one) + portOf(one) + methodsOf(one))
  const butNot = exceptions.length === 0 ? '' : `, but not ${exceptions.join(', ')}`
  return `reach ${describeHost(scope)} on ${ports}${methodsOf(scope)}${butNot}`
}

function portOf({ port }: HostScope): string {
  return port === undefined ? '' : ` on port ${port}`
}

function methodsOf({ methods }: HostScope): string {
  return methods === undefined ? '' : ` with ${[...methods].join(' and ')}`
}
