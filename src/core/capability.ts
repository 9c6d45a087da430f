/**
 * What a tool may do beyond computing: `kind[:scope]`, for example `fs:read:src/**`, `shell:exec`, `http:fetch:api.example.com:443`.
 * Nothing is granted by default.
 */

import { parseServiceAddress, serviceAddressRule } from './service-address.ts'

export const capabilityKinds = [
  'fs:read',
  'fs:write',
  'shell:exec',
  'shell:cache',
  'http:fetch',
  'net:connect',
  'secret:reveal',
  'scrubber:scan',
  'memory:read',
  'memory:write',
] as const

export type CapabilityKind = (typeof capabilityKinds)[number]

/** The scopes of `shell:cache`: programs whose downloads and build results the commands of an agent keep. */
export const cacheKinds = ['npm', 'pip', 'cargo', 'go'] as const

export type CacheKind = (typeof cacheKinds)[number]

/** Kinds for which any other scope would grant nothing, and as a denial would not deny what it seems to. */
const checkedScopes: Partial<
  Record<CapabilityKind, { readonly rule: string; isScope(scope: string | undefined): boolean }>
> = {
  'net:connect': {
    rule: `followed by ${serviceAddressRule}`,
    isScope: (scope) => parseServiceAddress(scope ?? '') !== undefined,
  },
  'shell:cache': {
    rule: `alone, or followed by one of ${cacheKinds.join(', ')}`,
    isScope: (scope) => scope === undefined || cacheKinds.some((kind) => kind === scope),
  },
}

export interface Capability {
  readonly kind: CapabilityKind
  /** What the kind is limited to (a path pattern, a host); absent = the whole kind. */
  readonly scope?: string
  /** Scopes that the rules exclude: this grant does not cover anything that matches one of them. */
  readonly except?: readonly string[]
}

/** Parses `fs:read:src/**`; returns undefined for anything that is not a capability. */
export function parseCapability(text: string): Capability | undefined {
  const capability = split(text)
  return capability !== undefined && hasValidScope(capability) ? capability : undefined
}

function hasValidScope({ kind, scope }: Capability): boolean {
  return checkedScopes[kind]?.isScope(scope) ?? true
}

/** What is wrong with the scope of a known kind; undefined if nothing is. */
export function scopeProblem(text: string): string | undefined {
  const capability = split(text)
  if (capability === undefined || hasValidScope(capability)) return undefined
  return `${capability.kind} must be ${checkedScopes[capability.kind]?.rule ?? 'without this scope'}`
}

function split(text: string): Capability | undefined {
  for (const kind of capabilityKinds) {
    if (text === kind) return { kind }
    if (text.startsWith(`${kind}:`) && text.length > kind.length + 1) {
      return { kind, scope: text.slice(kind.length + 1) }
    }
  }
  return undefined
}

/**
 * Whether it grants hosts by address, as those outside the public internet must be: this machine and its networks.
 * Spelled as programs may spell it: `127.1` and `0x7f.1` are addresses too.
 */
export function grantsAddresses({ kind, scope = '' }: Capability): boolean {
  if (kind !== 'http:fetch') return false
  const host = scope.slice(scope.lastIndexOf('@') + 1).replace(/:\d+$/, '')
  if (host.includes('/')) return true
  const url = `http://${host}/`
  const name = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : ''
  return name === 'localhost' || name.startsWith('[') || /^[\d.]+$/.test(name)
}

export function formatCapability(capability: Capability): string {
  return capability.scope === undefined ? capability.kind : `${capability.kind}:${capability.scope}`
}
