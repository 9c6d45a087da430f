import type { Call, Principal } from '../../core/call.ts'
import type { ErrorCode, ErrorDetails } from '../../core/errors.ts'
import type { Approvals, Clock } from '../../core/ports.ts'
import { refusal, type Refusal } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import type { Tool } from '../../core/tool.ts'
import { seekApproval } from './approval.ts'
import { applyArgumentRules } from './argument-rules.ts'
import { evaluate, missingCapability, type PolicyDecision } from './evaluate.ts'
import { filterList } from './filter-list.ts'
import { createLimiter, type Admission } from './limiter.ts'
import { nameInRules } from './name-in-rules.ts'
import type { RulePlace } from './rule-path.ts'
import type { AgentTerms, RuleSet } from './rule-set.ts'

export interface PolicyStageOptions {
  readonly rules: () => RuleSet
  /** What the catalogue knows by this name. */
  readonly find: (name: string) => Tool | undefined
  readonly clock: Clock
  /** What a person must have said yes to, beside the rules; nothing where absent. */
  readonly approvals?: Approvals
}

/** May this agent do this, within which limits, with which arguments. Lists come back with what the caller may use. */
export function policyStage({ rules, find, clock, approvals }: PolicyStageOptions): Stage {
  const limiter = createLimiter(clock)

  return async (call, next) => {
    const { principal, method } = call
    const inForce = rules()
    if (principal === undefined) {
      if (method !== 'list') return refuse(call, 'IDENTITY_REQUIRED')
      call.trail.notes.push('listed for a caller without identity')
      return filterList(await next(call), { call, principals: byName(inForce), rules: inForce, find })
    }
    const tool = method === 'tool' ? find(call.tool) : undefined
    const target = nameInRules(call, tool)

    const decision = evaluate(inForce, { ...principal, ...target, method, open: tool?.open === true })
    const terms = inForce.agents.get(principal.agent)
    const isAllowed = decision.effect === 'allow' && terms !== undefined
    if (!isAllowed) return refuseByRule(call, principal, target, decision)
    const missing = missingCapability(inForce, principal.agent, tool?.needs ?? [])
    if (missing !== undefined) {
      const details = { agent: principal.agent, capability: missing.kind }
      return refuse(call, 'CAPABILITY_NOT_GRANTED', details, missing.place)
    }
    // Clients list on their own account; only what an agent does counts as its calls.
    const limits = method === 'list' ? {} : terms.limits
    const admission = limiter.enter(JSON.stringify([call.tenant, principal.agent]), limits)
    if (!admission.ok) return refuseByLimit(call, principal, admission, terms)

    call.trail.decision = 'allow'
    call.trail.rule = decision.rule
    try {
      const approved = await seekApproval(call, approvals, clock)
      if (approved.kind === 'refusal') call.trail.decision = 'deny'
      if (approved.kind !== 'approved') return approved
      const result = await next(onTerms(approved.call, `${target.server}.${target.tool}`, terms, clock))
      return method === 'list'
        ? filterList(result, { call, principals: [principal], rules: inForce, find })
        : result
    } finally {
      admission.leave()
    }
  }
}

/** Everyone the rules know, as sure as a name makes us: what one of them may use, whoever gives that name may. */
function byName({ agents }: RuleSet): Principal[] {
  return Array.from(agents.keys(), (agent) => ({ agent, level: 'declared' }))
}

/** The call as the rules shape it: grants, arguments, deadline. */
function onTerms(call: Call, key: string, { grants, args, limits }: AgentTerms, clock: Clock): Call {
  const shaped = call.method === 'tool' ? applyArgumentRules(call.arguments, args.get(key) ?? []) : undefined
  call.trail.notes.push(...(shaped?.notes ?? []))
  return {
    ...call,
    grants,
    arguments: shaped?.arguments ?? call.arguments,
    deadline: Math.min(call.deadline, clock() + (limits.timeout_ms ?? Infinity)),
  }
}

function refuse(call: Call, code: ErrorCode, details: ErrorDetails = {}, place?: RulePlace): Refusal {
  call.trail.decision = 'deny'
  if (place !== undefined) call.trail.rule = place.path
  return refusal(code, { ...details, rule: place?.path, file: place?.file, line: place?.line })
}

function refuseByRule(
  call: Call,
  { agent, level }: Principal,
  { server, tool }: { server: string; tool: string },
  { rule, file, line, reason, required, justification, matched }: PolicyDecision,
): Refusal {
  const place: RulePlace = {
    path: rule,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  }
  if (required !== undefined) return refuse(call, 'IDENTITY_LEVEL_TOO_LOW', { agent, level, required }, place)
  const where = file === undefined ? rule : `${rule} (${file}:${line})`
  const remedy =
    matched[0]?.path === rule
      ? `${where} forbids it: use something else, or ask the person to change that rule.`
      : `Use something else, or ask the person to allow it at ${where}.`
  const hint = justification === undefined ? remedy : `${justification.replace(/[^.!?]$/, '$&.')} ${remedy}`
  const details = { agent, server, tool: clip(tool), reason, justification, hint }
  return refuse(call, 'DENIED_BY_POLICY', details, place)
}

function refuseByLimit(
  call: Call,
  { agent }: Principal,
  { by, limit, retryAfterMs }: Extract<Admission, { ok: false }>,
  { limitPlaces }: AgentTerms,
): Refusal {
  const words = by === 'concurrency' ? `${limit} calls at once` : `${limit} calls per minute`
  const details = { agent, limit: words, retry_after_ms: retryAfterMs }
  return refuse(call, 'RATE_LIMITED', details, limitPlaces.get(by))
}

/** The name comes from the caller and may be as long as a message. */
function clip(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}
