import type { Capability } from '../../core/capability.ts'
import { embeddedFour, specialKindOf, type Address } from './addresses.ts'
import { coversHost, describeHost, namesAddress, parseHostScope, type HostScope } from './host-scope.ts'
import type { Host } from './target.ts'

export interface GrantedDestination {
  /** In upper case; absent where it cannot be known, as inside a tunnel. */
  readonly method?: string
  /** What a body or an override makes it as well; every one of them has to be granted. */
  readonly otherMethods?: readonly string[]
  readonly host: Host
  readonly port: number
}

export interface HostGrants {
  /**
   * Why a request may not go there, in words that repeat nothing of it; nothing where it may. Asked by name first, before
   * anything is looked up, and then for every address the name stands for. An address that is not of the open internet
   * is reached only where a grant names that address or a block with it, besides the name being granted.
   */
  whyNot(destination: GrantedDestination, address?: Address): string | undefined
}

interface Grant {
  readonly scope: HostScope
  readonly except: readonly HostScope[]
}

/** What a grant without a port means. An exception without one takes out every port. */
const usualPorts: ReadonlySet<number> = new Set([80, 443])

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
      if (!open.some((grant) => !isTakenOut(grant, destination, address))) return 'a deny rule takes it out'

      const kind = address && specialKindOf(address)
      if (address === undefined || kind === undefined) return undefined
      const isNamed = grants.some(
        (grant) =>
          namesAddress(grant.scope, address) &&
          coversPort(grant.scope, destination) &&
          coversMethod(grant.scope, destination) &&
          !isTakenOut(grant, destination, address),
      )
      if (isNamed) return undefined
      return `it leads to an address that is ${kind}, which must be granted by its number (http:fetch:<address>:<port>)`
    },
  }
}

/** A grant of which any part cannot be read grants nothing: the part could be what was to be taken out. */
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
  // What cannot be seen could be just the method that is taken out.
  if (methods === undefined || method === undefined) return true
  return [method, ...otherMethods].some((one) => methods.has(one))
}

function whyNotMethod({ method, otherMethods = [] }: GrantedDestination): string {
  if (method === undefined) {
    return 'it is granted for some methods only, and nobody can see the method inside an encrypted connection'
  }
  return otherMethods.length === 0
    ? 'the host is granted for other methods only'
    : 'the host is granted for some methods only, and a body with GET, HEAD or OPTIONS or a method override asks for others'
}

function isTakenOut(
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

/** What a grant allows, in words that follow “may”. */
export function describeGrant(capability: Capability): string {
  const grant = readGrant(capability)
  if (grant === undefined) return 'reach no host: the grant cannot be read'
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
