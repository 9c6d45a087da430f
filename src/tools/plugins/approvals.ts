/** What users allow tools to do: checked before a tool runs, and extended by what a tool requests while it runs. */

import { createHash } from 'node:crypto'

import { OWN_SERVER, type Call } from '../../core/call.ts'
import { formatCapability, type Capability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import type { ApprovalAnswer, ApprovalNeeded, Approvals } from '../../core/ports.ts'
import { addNotes, type Trail } from '../../core/trail.ts'
import { hasCapability, type ApprovalStore } from './approval-store.ts'
import { describeCapability } from './capability-words.ts'
import type { Shelf } from './shelf.ts'
import type { ToolPackage } from './tool-package.ts'

export interface ToolApprovals extends Approvals {
  /**
   * The capabilities granted permanently, for the session, and for this call only. Throws APPROVAL_REQUIRED if these bytes
   * are not approved.
   */
  grantedTo(pkg: ToolPackage, call: Call): readonly Capability[]
  /** Called when a running tool requests a capability. The user is asked when the same call is repeated. */
  want(pkg: ToolPackage, capability: Capability, call: Call): RequestedApproval
}

export interface RequestedApproval extends ApprovalNeeded {
  /** The user refused in this session and is not asked again. */
  readonly isRefused?: true
}

export interface ApprovalsOptions {
  readonly shelf: Shelf
  readonly store: Pick<ApprovalStore, 'find' | 'put'>
  /** Adds to the audit. */
  readonly onEvent: (name: string, details: JsonObject, call: Call) => void
}

/** A question that the user has not answered yet, and what they would grant. */
interface OpenQuestion extends ApprovalNeeded {
  readonly pkg: ToolPackage
  readonly capabilities: readonly Capability[]
}

/** Bounds the requests of calls that are never repeated. */
const maxRemembered = 1000

interface ApprovalState extends ApprovalsOptions {
  /** Requested capabilities by call: session, agent, tool, arguments. */
  readonly wanted: Map<string, readonly Capability[]>
  /** Refused capabilities by session, tool and capability. */
  readonly refused: Set<string>
  // The trail is the only part of a call that all its copies share.
  readonly callKeys: WeakMap<Trail, string>
  readonly once: WeakMap<Trail, readonly Capability[]>
  readonly open: WeakMap<ApprovalNeeded, OpenQuestion>
}

export function createApprovals(options: ApprovalsOptions): ToolApprovals {
  const state: ApprovalState = {
    ...options,
    wanted: new Map(),
    refused: new Set(),
    callKeys: new WeakMap(),
    once: new WeakMap(),
    open: new WeakMap(),
  }
  return {
    grantedTo: (pkg, call) => grantedTo(state, pkg, call),
    needed: (call) => approvalNeeded(state, call),
    asked(call, needed) {
      const { pkg } = state.open.get(needed) ?? {}
      if (pkg !== undefined) state.onEvent('tool-approval-wanted', { tool: pkg.name }, call)
    },
    answered(call, needed, answer) {
      const question = state.open.get(needed)
      if (question === undefined) throw new Error('an answer to an unknown question')
      recordAnswer(state, question, answer, call)
      applyAnswer(state, question, answer, call)
    },
    want: (pkg, capability, call) => requestCapability(state, pkg, capability, call),
  }
}

function grantedTo(
  { store, once }: ApprovalState,
  pkg: ToolPackage,
  { session, trail }: Call,
): readonly Capability[] {
  const { sha256 } = pkg.files
  const permanent = store.find(pkg.name)
  if (permanent?.sha256 !== sha256) throw new ContextdError('APPROVAL_REQUIRED')
  const inSession = store.find(pkg.name, session)
  const granted = [
    ...permanent.capabilities,
    ...(inSession?.sha256 === sha256 ? inSession.capabilities : []),
    ...(once.get(trail) ?? []),
  ]
  return [...pkg.manifest.required, ...pkg.manifest.optional].filter((one) => hasCapability(granted, one))
}

function approvalNeeded(state: ApprovalState, call: Call): ApprovalNeeded | undefined {
  const { shelf, callKeys, wanted } = state
  // A tool of another server may have the same name. Built-in tools need no approval, and are called often.
  if (call.server !== OWN_SERVER || shelf.isTaken(call.tool)) return undefined
  const found = shelf.look(call.tool)
  if (found === undefined || found.state === 'broken') return undefined
  const { package: pkg } = found
  const command = `ctxd tool approve ${pkg.name}`
  if (found.state === 'new') return { why: `Nobody has approved the tool ${pkg.name}.`, command }
  if (found.state === 'changed') {
    return {
      why: `The tool ${pkg.name} has changed since it was approved: ${listed(found.changes)}.`,
      command,
    }
  }
  const key = keyOf(call)
  callKeys.set(call.trail, key)
  const granted = grantedTo(state, pkg, call)
  const missing = (wanted.get(key) ?? []).filter(
    (one) => hasCapability(pkg.manifest.optional, one) && !hasCapability(granted, one),
  )
  return missing.length === 0 ? undefined : openQuestion(state, pkg, missing)
}

function openQuestion(
  { open }: ApprovalState,
  pkg: ToolPackage,
  capabilities: readonly Capability[],
): OpenQuestion {
  const requested = capabilities.map(describeCapability).join(', and to ')
  const flags = capabilities.map((capability) => ` --grant '${formatCapability(capability)}'`).join('')
  const needed: OpenQuestion = {
    why: `The tool ${pkg.name} wants to ${requested}, which nobody has approved.`,
    command: `ctxd tool approve ${pkg.name}${flags}`,
    question: `The tool ${pkg.name} wants to ${requested}. Allow it?`,
    pkg,
    capabilities,
  }
  open.set(needed, needed)
  return needed
}

function requestCapability(
  state: ApprovalState,
  pkg: ToolPackage,
  capability: Capability,
  call: Call,
): RequestedApproval {
  const { callKeys, refused, wanted } = state
  const needed = openQuestion(state, pkg, [capability])
  const { question: _, ...withoutQuestion } = needed
  if (!hasCapability(pkg.manifest.optional, capability)) {
    return {
      ...withoutQuestion,
      why: `${needed.why} Its capabilities.toml does not list it as optional.`,
      command: `ctxd tool show ${pkg.name}`,
    }
  }
  const key = callKeys.get(call.trail)
  if (refused.has(refusalKey(call, pkg, capability))) return { ...withoutQuestion, isRefused: true }
  if (key === undefined) return withoutQuestion
  const earlier = wanted.get(key) ?? []
  wanted.delete(key)
  wanted.set(key, hasCapability(earlier, capability) ? earlier : [...earlier, capability])
  forgetOldest(wanted)
  return needed
}

/** Called before the answer takes effect: what cannot be recorded is not granted. */
function recordAnswer(
  { onEvent }: ApprovalState,
  { pkg, capabilities }: OpenQuestion,
  answer: ApprovalAnswer,
  call: Call,
): void {
  const names = capabilities.map(formatCapability)
  const details = { tool: pkg.name, sha256: pkg.files.sha256, capabilities: names, answer }
  onEvent(answer === 'no' ? 'tool-grant-refused' : 'tool-granted', details, call)
  addNotes(call.trail, [`the user answered ${answer} to ${pkg.name} for ${names.join(', ')}`])
}

function applyAnswer(
  state: ApprovalState,
  { pkg, capabilities }: OpenQuestion,
  answer: ApprovalAnswer,
  call: Call,
): void {
  const { once, refused, wanted } = state
  switch (answer) {
    case 'once':
      once.set(call.trail, capabilities)
      break
    case 'session':
      addGrants(state, pkg, capabilities, call.session)
      break
    case 'always':
      addGrants(state, pkg, capabilities)
      break
    case 'no':
      for (const capability of capabilities) refused.add(refusalKey(call, pkg, capability))
      forgetOldest(refused)
      wanted.delete(keyOf(call))
      break
  }
}

function addGrants(
  { store }: ApprovalState,
  { name, files: { sha256 } }: ToolPackage,
  capabilities: readonly Capability[],
  session?: string,
): void {
  // Revoked, or approved with other bytes, while the question was open: a yes does not restore the approval.
  if (store.find(name)?.sha256 !== sha256) throw new ContextdError('APPROVAL_REQUIRED')
  const earlier = store.find(name, session)
  const kept = earlier?.sha256 === sha256 ? earlier.capabilities : []
  const added = capabilities.filter((one) => !hasCapability(kept, one))
  store.put({ tool: name, sha256, capabilities: [...kept, ...added] }, session)
}

function refusalKey(call: Call, pkg: ToolPackage, capability: Capability): string {
  return JSON.stringify([call.session, pkg.name, pkg.files.sha256, formatCapability(capability)])
}

/** Arguments may contain secrets, so only a hash is stored. */
function keyOf({ session, principal, tool, arguments: args }: Call): string {
  return createHash('sha256')
    .update(canonicalJson([session, principal?.agent, tool, args]))
    .digest('base64url')
}

function forgetOldest(known: Map<string, unknown> | Set<string>): void {
  for (const key of known.keys()) {
    if (known.size <= maxRemembered) return
    known.delete(key)
  }
}

const maxListed = 5

/** File names are untrusted and the agent reads them. */
function listed(changes: readonly string[]): string {
  const plain = changes.map((change) =>
    /^[\w./ -]{1,80}$/.test(change) ? change : 'a file with an unusual name',
  )
  const more = plain.length > maxListed ? [`and ${plain.length - maxListed} more`] : []
  return [...plain.slice(0, maxListed), ...more].join(', ')
}
