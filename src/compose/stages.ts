/** Creates the stages with their dependencies. */

import type { Call } from '../core/call.ts'
import type { Refs, ToolHost } from '../core/ports.ts'
import type { Stage } from '../core/stage.ts'
import { auditStage } from '../stages/audit/stage.ts'
import { createModelBudget, type ModelLimits, type PlacedLimit } from '../stages/budget/model-budget.ts'
import { createModelUsage } from '../stages/budget/model-usage.ts'
import { createRefs } from '../stages/budget/refs.ts'
import { budgetStage } from '../stages/budget/stage.ts'
import { dispatchStage } from '../stages/dispatch/stage.ts'
import { createToolHost } from '../stages/dispatch/tool-host.ts'
import { identityStage } from '../stages/identity/stage.ts'
import type { AgentTerms } from '../stages/policy/rule-set.ts'
import { policyStage } from '../stages/policy/stage.ts'
import { scrubStage } from '../stages/scrub/stage.ts'
import { ownTextsOf } from './catalogue.ts'
import type { Foundation } from './foundation.ts'
import type { OpenModel } from './model.ts'
import type { ToolSet } from './tool-set.ts'
import { openRevealing, type Revealing } from './revealing.ts'

/** By name, as in `PipelineStages`; `src/pipeline.ts` orders them. */
export function openStages(base: Foundation, toolSet: ToolSet, model: OpenModel) {
  const { rules, clock, config, store, count, secrets, given } = base
  const { catalogue, tools } = toolSet
  const refs = createRefs({ store, clock, ttlMs: config.budget.ref_ttl_minutes * 60_000, count })
  const revealing = openRevealing({ secrets, rules: rules.current, given })
  return {
    audit: openAuditStage(base),
    identity: identityStage(rules.current),
    policy: policyStage({ rules: rules.current, catalogue, clock, approvals: tools.user.approvals }),
    budget: openBudgetStage(base, toolSet, refs),
    scrub: openScrubStage(base, toolSet, revealing, model),
    dispatch: dispatchStage({
      catalogue,
      clock,
      onCrash: crashReport(base, 'a tool failed'),
      hostFor: (call) => hostFor(call, base, toolSet, { refs, revealing }),
    }),
  }
}

function openAuditStage({ audit, checks, clock, config, log }: Foundation): Stage {
  return auditStage({
    log: audit,
    check: checks.check,
    clock,
    outputChars: config.audit.output_chars,
    report: log,
  })
}

function openBudgetStage(
  { store, tenant, clock, count, config, rules }: Foundation,
  { memory }: ToolSet,
  refs: Refs,
): Stage {
  return budgetStage({
    store,
    refs,
    count,
    answerTokens: config.budget.answer_tokens,
    sessionLimit: (call) =>
      rules.current().agents.get(call.principal?.agent ?? '')?.limits.tokens_per_session,
    branch: memory.branches,
    model: createModelBudget({
      usage: createModelUsage(store, tenant, clock),
      // Unidentified callers have the limits of `default`.
      limitsOf: (call) => modelLimits(rules.current().agents.get(call.principal?.agent ?? 'default')),
    }),
  })
}

function modelLimits(terms: AgentTerms | undefined): ModelLimits {
  const limitOf = (name: 'model_tokens_per_session' | 'model_tokens_per_day'): PlacedLimit | undefined => {
    const limit = terms?.limits[name]
    if (limit === undefined) return undefined
    const { path, ...place } = terms?.limitPlaces.get(name) ?? { path: '$' }
    return { limit, rule: path, ...place }
  }
  const perSession = limitOf('model_tokens_per_session')
  const perDay = limitOf('model_tokens_per_day')
  return { ...(perSession && { perSession }), ...(perDay && { perDay }) }
}

function openScrubStage(
  base: Foundation,
  { ownTools }: ToolSet,
  revealing: Revealing,
  model: OpenModel,
): Stage {
  const { checks, privacy, secrets, vault, given } = base
  return scrubStage({
    check: checks.check,
    privacy,
    valuesOf: secrets.valuesOf,
    introductions: secrets.introductions,
    termsOf: revealing.termsOf,
    writtenFile: revealing.writtenFile,
    keptPolicy: revealing.keptPolicy,
    onGiven: given.add,
    ownTexts: ownTextsOf(ownTools),
    ...(vault && { keepRaw: (call, raw) => vault.put(call, JSON.stringify(raw)) }),
    prepareModel: model.prepare,
    onFailure: crashReport(base, 'the scrubber failed'),
  })
}

interface HostParts {
  readonly refs: Refs
  readonly revealing: Revealing
}

function hostFor(call: Call, base: Foundation, { tools, memory }: ToolSet, parts: HostParts): ToolHost {
  const { scrubber, checks, privacy, secrets, config } = base
  return createToolHost(call, {
    check: checks.check,
    scrub: scrubber.scrub,
    privacy,
    reveal: parts.revealing.reveal,
    lasting: secrets,
    refs: parts.refs,
    sliceTokens: config.budget.answer_tokens,
    fetch: tools.fetchFor(call),
    persistentFor: memory.forTool,
  })
}

function crashReport({ privacy, log }: Foundation, what: string): (call: Call, error: unknown) => void {
  /** A tool's error may contain private context, and the client stores our log where other agents can read it. */
  const causeOf = ({ session }: Call, error: unknown): string => {
    try {
      return privacy.mask(String(error), session, undefined).text
    } catch {
      return 'withheld: it could not be checked for private context'
    }
  }
  return (call, error) => log('error', what, { call: call.id, tool: call.tool, cause: causeOf(call, error) })
}
