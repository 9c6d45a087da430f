/** Describes a tool's capabilities in words for the user who decides. */

import {
  capabilityKinds,
  parseCapability,
  type Capability,
  type CapabilityKind,
} from '../../core/capability.ts'
import { describeGrant } from '../http/host-grants.ts'
import { parseHostScope } from '../http/host-scope.ts'

/** The problem with a capability that a package requests; undefined if it is fine. */
export function capabilityProblem(text: string): string | undefined {
  const capability = parseCapability(text)
  if (capability === undefined) return `expected one of ${capabilityKinds.join(', ')}`
  const { kind, scope } = capability
  if (kind === 'shell:cache') return 'shell:cache is for commands only'
  if (kind === 'net:connect') return 'net:connect is for commands only; a tool has no network'
  if (scope === undefined) return undefined
  // Users paste it into a shell, and read it before they approve.
  if (/['"`$\\\p{C}\p{Zl}\p{Zp}]/u.test(scope))
    return 'the scope contains quotes, "$", "\\" or invisible characters'
  if (kind === 'http:fetch') {
    return parseHostScope(scope) === undefined
      ? 'the scope of http:fetch must be [METHOD@]host[:port], such as GET@api.example.com'
      : undefined
  }
  if (kind === 'fs:read' || kind === 'fs:write') return pathProblem(scope)
  return scopeless.has(kind) ? `${kind} takes no scope` : undefined
}

const scopeless: ReadonlySet<CapabilityKind> = new Set(['scrubber:scan', 'secret:reveal'])

/** A program sees folders and files, not patterns: what cannot be mounted cannot be granted. */
function pathProblem(scope: string): string | undefined {
  const bare = scope.replace(/(?:^|\/)\*\*$/, '')
  if (/[*?[\]{}]/.test(bare))
    return 'a tool can get whole folders (src/**) or single files, no other patterns'
  return bare.split('/').includes('..') ? 'the path must not contain ".."' : undefined
}

/** In words that follow “may”: `read files below src/`. */
export function describeCapability(capability: Capability): string {
  const { kind, scope } = capability
  switch (kind) {
    case 'fs:read':
      return `read ${describePath(scope)}`
    case 'fs:write':
      return `read and write ${describePath(scope)}`
    case 'http:fetch':
      return describeGrant(capability)
    case 'net:connect':
      return `connect to ${scope ?? 'services'} of this machine`
    case 'shell:exec':
      return 'start other programs, for agents that may use the shell'
    case 'shell:cache':
      return `keep the cache of ${scope ?? 'package managers'} between commands`
    case 'secret:reveal':
      return 'get the real values of secrets in its input, if your rules reveal them to it'
    case 'scrubber:scan':
      return 'ask contextd to find secrets in a text'
    case 'memory:read':
      return 'search the memories of this project'
    case 'memory:write':
      return 'add memories to this project'
  }
}

function describePath(scope = '**'): string {
  if (scope === '**') return 'every file of the workspace'
  return scope.endsWith('/**') || scope.endsWith('/')
    ? `files below ${scope.replace(/(?<!\*)\*+$/, '')}`
    : scope
}
