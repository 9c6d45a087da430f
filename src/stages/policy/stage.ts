import type { Call, CallMethod, Principal } from '../../core/call.ts'
import type { Approvals, Clock } from '../../core/ports.ts'
import type { Refusal } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import { maxBackgroundSeconds, type Catalogue, type Tool } from '../../core/tool.ts'
import { principalsOf } from './access.ts'
import { resolveTarget } from './resolve-target.ts'
import { seekApproval } from './approval.ts'
import { evaluate, missingCapability, type PolicyQuestion } from './evaluate.ts'
import { filterList } from './filter-list.ts'
import { createLimiter, type Admission, type Gate } from './limiter.ts'
import { refuse, refuseByRule } from './refusals.ts'
import type { RulePlace } from './rule-path.ts'
import { implicitLimits, type AgentTerms, type RuleSet } from './rule-set.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { counted } from '@contextd/shared/text/counted'
import { shapeArguments, termsOf, withTerms } from './terms.ts'

export interface PolicyStageOptions {
  readonly rules: () => RuleSet
  readonly catalogue: Pick<Catalogue, 'find' | 'payloads'>
  readonly clock: Clock
  /** Approvals by the user that calls need in addition to the rules, if any. */
  readonly approvals?: Approvals
}

/**
 * Decides whether the agent may make the call, within which limits and with which arguments. Lists are filtered to
 * what the caller may use.
 */
export function policyStage({ rules, catalogue, clock, approvals }: PolicyStageOptions): Stage {
  const limiter = createLimiter(clock)

  return async (original, next) => {
    const { principal, method, resolvedTool: tool } = original
    const current = rules()
    if (principal === undefined) {
      if (method === 'model') return next(allowOpen(original))
      if (method !== 'list') return refuse(original, 'IDENTITY_REQUIRED')
      original.trail.notes.push('listed for a caller without identity')
      const principals = principalsOf(original, current)
      return filterList(await next(original), { call: original, principals, rules: current, catalogue })
    }
    const open = tool?.open === true
    if (open) {
      const decision = evaluate(current, questionOf(principal, targetOf(original, tool), method, open))
      if (decision.effect !== 'allow') return refuseByRule(original, principal, decision)
    }
    const resolving = resolveTarget(original, catalogue)
    const resolved = resolving instanceof Promise ? await resolving : resolving
    if ('kind' in resolved) return resolved
    const isRedirected = resolved !== original
    const call = isRedirected && method === 'tool' ? withTargetTool(resolved, catalogue) : resolved
    if (isRedirected) call.trail.target = { server: call.server, tool: call.tool }

    const target = isRedirected ? { server: call.server, tool: call.tool } : targetOf(call, tool)
    const decision = evaluate(current, questionOf(principal, target, method, open && !isRedirected))
    const terms = termsOf(principal, method, current)
    const isAllowed = decision.effect === 'allow' && terms !== undefined
    if (!isAllowed) return refuseByRule(call, principal, decision)
    const missing = missingCapability(current, principal.agent, tool?.needs ?? [])
    if (missing !== undefined) {
      const details = { agent: principal.agent, capability: missing.kind }
      return refuse(call, 'CAPABILITY_NOT_GRANTED', details, missing.place)
    }
    const overlong = refuseOverlong(call, shapeArguments(call, target, terms), principal, terms)
    if (overlong !== undefined) return overlong
    // Clients list on their own; only an agent's actions count as its calls.
    const admission = limiter.enter(method === 'list' ? [] : gatesFor(call, principal, terms))
    if (!admission.ok) return refuseByLimit(call, principal, admission)

    call.trail.decision = 'allow'
    call.trail.rule = decision.rule
    try {
      const seeking = seekApproval(call, approvals, clock)
      const approved = seeking instanceof Promise ? await seeking : seeking
      if (approved.kind === 'refusal') call.trail.decision = 'deny'
      if (approved.kind !== 'approved') return approved
      const result = await next(withTerms(approved.call, target, terms, clock))
      return method === 'list'
        ? await filterList(result, { call, principals: [principal], rules: current, catalogue })
        : result
    } finally {
      admission.leave()
    }
  }
}

/** Inner stages must not mistake the wrapping tool for its target. */
function withTargetTool(call: Call, { find }: Pick<Catalogue, 'find'>): Call {
  return { ...call, resolvedTool: find(call.tool, call.server) }
}

/** For callers without grants. */
function allowOpen(call: Call): Call {
  call.trail.decision = 'allow'
  call.trail.rule = 'builtin.open'
  return call
}

/** Server and tool with the names that the rules use. The catalogue knows which server a tool belongs to. */
function targetOf(call: Call, tool: Tool | undefined): { server: string; tool: string } {
  return { server: tool?.server ?? call.server, tool: call.tool }
}

function questionOf(
  { agent, level }: Principal,
  { server, tool }: { server: string; tool: string },
  method: CallMethod,
  open: boolean,
): PolicyQuestion {
  return { agent, level, server, tool, method, open }
}

interface LimitGate extends Gate {
  readonly places: ReadonlyMap<string, RulePlace>
}

/** The limits of the agent, in total and for this server. */
function gatesFor({ tenant, server }: Call, { agent }: Principal, terms: AgentTerms): LimitGate[] {
  const { limits, limitPlaces, serverLimits } = terms
  const serverEntries = serverLimits.lookup(server)
  const isUnlimited = limits.calls_per_minute === undefined && limits.concurrency === undefined
  if (isUnlimited && serverEntries.length === 0) return []
  const own = { caller: JSON.stringify([tenant, agent]), limits, places: limitPlaces }
  const atServer = serverEntries.map(({ limits: counted, places }, index) => ({
    limits: counted,
    places,
    caller: JSON.stringify([tenant, agent, server, index]),
  }))
  return [own, ...atServer]
}

/** Refuses a call whose arguments request more time for its command than the rules allow, also if a rule set them. */
function refuseOverlong(
  call: Call,
  shaped: { readonly arguments: JsonObject } | undefined,
  { agent }: Principal,
  { limits, limitPlaces }: AgentTerms,
): Refusal | undefined {
  const time = call.resolvedTool?.commandTime?.((shaped ?? call).arguments)
  if (time === undefined || !time.isRequested) return undefined
  const limit =
    limits.command_seconds ?? (time.isBackground ? maxBackgroundSeconds : implicitLimits.command_seconds)
  if (time.ms <= limit * 1000) return undefined
  call.trail.decision = 'deny'
  return refuse(call, 'COMMAND_TOO_LONG', { agent, limit }, limitPlaces.get('command_seconds'))
}

function refuseByLimit(
  call: Call,
  { agent }: Principal,
  { gate, by, limit, retryAfterMs }: Extract<Admission<LimitGate>, { ok: false }>,
): Refusal {
  const words =
    by === 'concurrency' ? counted(limit, 'concurrent call') : `${counted(limit, 'call')} per minute`
  const details = { agent, limit: words, retry_after_ms: retryAfterMs }
  return refuse(call, 'RATE_LIMITED', details, gate.places.get(by))
}
