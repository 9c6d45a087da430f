/**
 * What a tool may do beyond computing: `kind[:scope]`, for example `fs:read:src/**`, `shell:exec`, `http:fetch:api.example.com:443`.
 * Nothing is granted by default.
 */

export const capabilityKinds = [
  'fs:read',
  'fs:write',
  'shell:exec',
  'http:fetch',
  'secret:reveal',
  'scrubber:scan',
  'memory:read',
  'memory:write',
] as const

export type CapabilityKind = (typeof capabilityKinds)[number]

export interface Capability {
  readonly kind: CapabilityKind
  /** What the kind is limited to (a path pattern, a host); absent = the whole kind. */
  readonly scope?: string
  /** Scopes the rules take out again: a check of this grant refuses whatever one of them covers. */
  readonly except?: readonly string[]
}

/** Reads `fs:read:src/**`; answers undefined for anything that is not a capability. */
export function parseCapability(text: string): Capability | undefined {
  for (const kind of capabilityKinds) {
    if (text === kind) return { kind }
    if (text.startsWith(`${kind}:`) && text.length > kind.length + 1) {
      return { kind, scope: text.slice(kind.length + 1) }
    }
  }
  return undefined
}

export function formatCapability(capability: Capability): string {
  return capability.scope === undefined ? capability.kind : `${capability.kind}:${capability.scope}`
}
