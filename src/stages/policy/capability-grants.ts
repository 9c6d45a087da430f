import type { Capability, CapabilityKind } from '../../core/capability.ts'

/**
 * The allowed capabilities without the denied ones. A denied part of a wider grant becomes an exception of that
 * grant.
 */
export function subtractCapabilities(
  allowed: readonly Capability[],
  denied: readonly Capability[],
): Capability[] {
  const left: Capability[] = []
  for (const grant of allowed) {
    const matchingDenials = denied.filter(({ kind }) => kind === grant.kind)
    if (matchingDenials.some(({ scope }) => covers(grant.kind, scope, grant.scope))) continue
    left.push(
      withExceptions(
        grant,
        matchingDenials.flatMap(({ scope }) => scope ?? []),
      ),
    )
  }
  return left
}

/**
 * The capabilities in both lists. Of two overlapping patterns, the narrower is kept; if neither contains the other,
 * none is: the exact overlap cannot be expressed as one pattern, and granting less is safe.
 */
export function intersectCapabilities(
  left: readonly Capability[],
  right: readonly Capability[],
): Capability[] {
  const both: Capability[] = []
  for (const one of left) {
    for (const other of right) {
      if (one.kind !== other.kind) continue
      const narrower = grantCovers(one, other) ? other : grantCovers(other, one) ? one : undefined
      if (narrower === undefined) continue
      const exceptions = [...(one.except ?? []), ...(other.except ?? [])]
      const { except: _, ...bare } = narrower
      both.push(withExceptions(bare, exceptions))
    }
  }
  return both
}

/** The grants in `before` that no single grant in `now` covers any more. */
export function lostCapabilities(before: readonly Capability[], now: readonly Capability[]): Capability[] {
  return before.filter(
    (old) =>
      !now.some(
        (one) =>
          one.kind === old.kind &&
          grantCovers(one, old) &&
          (one.except ?? []).every((exception) => old.except?.includes(exception)),
      ),
  )
}

function withExceptions(grant: Capability, exceptions: readonly string[]): Capability {
  return exceptions.length === 0 ? grant : { ...grant, except: [...new Set(exceptions)] }
}

/** A grant of `http:fetch` alone is for public hosts on ports 80 and 443, like `*`. */
function grantCovers({ kind, scope: wide }: Capability, { scope: narrow }: Capability): boolean {
  if (kind !== 'http:fetch' || wide === narrow) return covers(kind, wide, narrow)
  return coversHost(wide ?? '*', narrow ?? '*')
}

/** True only if everything that `narrow` matches is also matched by `wide`. Absent means the whole kind. */
function covers(kind: CapabilityKind, wide: string | undefined, narrow: string | undefined): boolean {
  if (wide === undefined || wide === narrow) return true
  if (narrow === undefined) return false
  // One address or program each.
  if (kind === 'net:connect' || kind === 'shell:cache') return false
  return kind === 'http:fetch' ? coversHost(wide, narrow) : coversPath(wide, narrow)
}

/** `[METHOD,…@]host[:port]`. IP addresses are only covered by the same text. */
function coversHost(wide: string, narrow: string): boolean {
  const [outer, inner] = [hostParts(wide), hostParts(narrow)]
  if (outer === undefined || inner === undefined) return false
  const isMethod =
    outer.methods === undefined || inner.methods?.every((method) => outer.methods?.includes(method))
  const isPort =
    outer.port === inner.port || (outer.port === undefined && ['80', '443'].includes(inner.port ?? ''))
  const isHost =
    outer.host === inner.host ||
    // The name of addresses that wildcards do not match.
    (inner.host !== 'localhost' &&
      (outer.host === '*' || (outer.host.startsWith('*.') && inner.host.endsWith(outer.host.slice(1)))))
  return isMethod === true && isPort && isHost
}

function hostParts(scope: string): { methods?: string[]; host: string; port?: string } | undefined {
  // A host name has a letter in its last label; numbers and brackets are IP addresses.
  const [, methods, host, port] =
    /^(?:([A-Za-z,]+)@)?(\*|(?:\*\.)?(?:[\w-]*\.)*(?=[\d_-]*[a-z])[\w-]+)(?::(\d+))?$/i.exec(scope) ?? []
  // URL parsers read such a last label as the end of an IP address.
  if (host === undefined || /(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(host)) return undefined
  return {
    host: host.toLowerCase(),
    ...(methods !== undefined && { methods: methods.toUpperCase().split(',') }),
    ...(port !== undefined && { port }),
  }
}

function coversPath(wide: string, narrow: string): boolean {
  if (narrow.split('/').includes('..')) return false
  if (wide === '**') return !/^[/~]/.test(narrow)
  return wide.endsWith('/**') && narrow.startsWith(wide.slice(0, -2))
}
