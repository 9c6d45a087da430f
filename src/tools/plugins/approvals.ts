/** What people let tools do: asked before a tool runs, told what a tool asked for while it ran. */

import { createHash } from 'node:crypto'

import { OWN_SERVER, type Call } from '../../core/call.ts'
import { formatCapability, type Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import type { ApprovalAnswer, ApprovalNeeded, Approvals } from '../../core/ports.ts'
import { addNotes, type Trail } from '../../core/trail.ts'
import type { ApprovalStore } from './approval-store.ts'
import { describeCapability } from './capability-words.ts'
import type { Shelf } from './shelf.ts'
import type { ToolPackage } from './tool-package.ts'

export interface ToolApprovals extends Approvals {
  /**
   * What the tool may do in this call: what holds for good, for the session, and for this call alone. Throws
   * APPROVAL_REQUIRED where these bytes are not, or not any more, approved.
   */
  grantedTo(pkg: ToolPackage, call: Call): readonly Capability[]
  /** A tool asked for this while it ran. The person is asked when the same call comes again, unless they said no before. */
  want(pkg: ToolPackage, capability: Capability, call: Call): RequestedApproval
}

export interface RequestedApproval extends ApprovalNeeded {
  /** The person said no in this session, and is not to be bothered again. */
  readonly isRefused?: true
}

export interface ApprovalsOptions {
  readonly shelf: Shelf
  readonly store: Pick<ApprovalStore, 'find' | 'put'>
  /** For the audit. */
  readonly onEvent: (name: string, details: JsonObject, call: Call) => void
}

/** A question that stands open, and to what a yes would be said. */
interface Open extends ApprovalNeeded {
  readonly pkg: ToolPackage
  readonly capabilities: readonly Capability[]
}

/** Wishes of calls that never came again. */
const maxRemembered = 1000

export function createApprovals({ shelf, store, onEvent }: ApprovalsOptions): ToolApprovals {
  /** By call: session, agent, tool, arguments. */
  const wanted = new Map<string, readonly Capability[]>()
  /** By session, tool and capability: what the person said no to. */
  const refused = new Set<string>()
  // The trail is the one part of a call that all its copies share.
  const callKeys = new WeakMap<Trail, string>()
  const once = new WeakMap<Trail, readonly Capability[]>()
  const open = new WeakMap<ApprovalNeeded, Open>()

  const refusalKey = (call: Call, pkg: ToolPackage, capability: Capability): string =>
    JSON.stringify([call.session, pkg.name, pkg.files.sha256, formatCapability(capability)])

  const grantedTo: ToolApprovals['grantedTo'] = (pkg, { session, trail }) => {
    const { sha256 } = pkg.files
    const forGood = store.find(pkg.name)
    if (forGood?.sha256 !== sha256) throw new ContextdError('APPROVAL_REQUIRED')
    const inSession = store.find(pkg.name, session)
    const granted = [
      ...forGood.capabilities,
      ...(inSession?.sha256 === sha256 ? inSession.capabilities : []),
      ...(once.get(trail) ?? []),
    ]
    return [...pkg.manifest.required, ...pkg.manifest.optional].filter((one) => holds(granted, one))
  }

  const question = (pkg: ToolPackage, capabilities: readonly Capability[]): Open => {
    const requested = capabilities.map(describeCapability).join(', and to ')
    const flags = capabilities.map((capability) => ` --grant '${formatCapability(capability)}'`).join('')
    const needed: Open = {
      why: `The tool ${pkg.name} wants to ${requested}, which nobody has approved.`,
      command: `ctxd tool approve ${pkg.name}${flags}`,
      question: `The tool ${pkg.name} wants to ${requested}. Allow it?`,
      pkg,
      capabilities,
    }
    open.set(needed, needed)
    return needed
  }

  return {
    grantedTo,
    needed(call) {
      // A tool of another server may have the same name. Our own need no approval, and are called all the time.
      if (call.server !== OWN_SERVER || shelf.isTaken(call.tool)) return undefined
      const found = shelf.look(call.tool)
      if (found === undefined || found.state === 'broken') return undefined
      const { package: pkg } = found
      const command = `ctxd tool approve ${pkg.name}`
      if (found.state === 'new') return { why: `Nobody has approved the tool ${pkg.name}.`, command }
      if (found.state === 'changed') {
        return {
          why: `The tool ${pkg.name} is not the one that was approved: ${listed(found.changes)}.`,
          command,
        }
      }
      const key = keyOf(call)
      callKeys.set(call.trail, key)
      const granted = grantedTo(pkg, call)
      const missing = (wanted.get(key) ?? []).filter(
        (one) => holds(pkg.manifest.optional, one) && !holds(granted, one),
      )
      return missing.length === 0 ? undefined : question(pkg, missing)
    },
    asked(call, needed) {
      const { pkg } = open.get(needed) ?? {}
      if (pkg !== undefined) onEvent('tool-approval-wanted', { tool: pkg.name }, call)
    },
    answered(call, needed, answer) {
      const { pkg, capabilities } = open.get(needed) ?? {}
      if (pkg === undefined || capabilities === undefined)
        throw new Error('an answer to a question nobody asked')
      // Recorded first: what cannot be recorded is not granted.
      const details = {
        tool: pkg.name,
        sha256: pkg.files.sha256,
        capabilities: capabilities.map(formatCapability),
      }
      onEvent(answer === 'no' ? 'tool-grant-refused' : 'tool-granted', { ...details, answer }, call)
      addNotes(call.trail, [
        `the person answered ${answer} to ${pkg.name} for ${details.capabilities.join(', ')}`,
      ])
      takeDown(pkg, capabilities, answer, call)
    },
    want(pkg, capability, call) {
      const needed = question(pkg, [capability])
      const isDeclared = holds(pkg.manifest.optional, capability)
      if (!isDeclared) {
        const { question: _, ...rest } = needed
        return {
          ...rest,
          why: `${needed.why} Its capabilities.toml does not list it as optional.`,
          command: `ctxd tool show ${pkg.name}`,
        }
      }
      const key = callKeys.get(call.trail)
      const isRefused = refused.has(refusalKey(call, pkg, capability))
      if (key === undefined || isRefused) {
        const { question: _, ...rest } = needed
        return isRefused ? { ...rest, isRefused } : rest
      }
      const earlier = wanted.get(key) ?? []
      wanted.delete(key)
      wanted.set(key, holds(earlier, capability) ? earlier : [...earlier, capability])
      forgetOldest(wanted)
      return needed
    },
  }

  function takeDown(
    pkg: ToolPackage,
    capabilities: readonly Capability[],
    answer: ApprovalAnswer,
    call: Call,
  ): void {
    const { sha256 } = pkg.files
    const add = (session?: string): void => {
      // Taken back, or approved with other bytes, while the question stood open: a yes to it brings nothing back.
      if (store.find(pkg.name)?.sha256 !== sha256) throw new ContextdError('APPROVAL_REQUIRED')
      const earlier = store.find(pkg.name, session)
      const kept = earlier?.sha256 === sha256 ? earlier.capabilities : []
      store.put({ tool: pkg.name, sha256, capabilities: union(kept, capabilities) }, session)
    }
    switch (answer) {
      case 'once':
        once.set(call.trail, capabilities)
        break
      case 'session':
        add(call.session)
        break
      case 'always':
        add()
        break
      case 'no':
        for (const capability of capabilities) refused.add(refusalKey(call, pkg, capability))
        forgetOldest(refused)
        wanted.delete(keyOf(call))
        break
    }
  }
}

/** Arguments may hold anything, so only a hash of them is kept. */
function keyOf({ session, principal, tool, arguments: args }: Call): string {
  return createHash('sha256')
    .update(canonicalJson([session, principal?.agent, tool, args]))
    .digest('base64url')
}

function holds(list: readonly Capability[], { kind, scope }: Capability): boolean {
  return list.some((one) => one.kind === kind && one.scope === scope)
}

function union(left: readonly Capability[], right: readonly Capability[]): Capability[] {
  return [...left, ...right.filter((one) => !holds(left, one))]
}

function forgetOldest(known: Map<string, unknown> | Set<string>): void {
  for (const key of known.keys()) {
    if (known.size <= maxRemembered) return
    known.delete(key)
  }
}

const maxListed = 5

/** Names of files come from a stranger, and the agent reads them. */
function listed(changes: readonly string[]): string {
  const plain = changes.map((change) =>
    /^[\w./ -]{1,80}$/.test(change) ? change : 'a file with an unusual name',
  )
  const more = plain.length > maxListed ? [`and ${plain.length - maxListed} more`] : []
  return [...plain.slice(0, maxListed), ...more].join(', ')
}
