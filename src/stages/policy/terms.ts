/** The terms of a call: which apply to the caller, and what they change about the call. */

import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import { levelReaches, OPERATOR, type Call, type CallMethod, type Principal } from '../../core/call.ts'
import type { Clock } from '../../core/ports.ts'
import { commandWaitMs } from '../../core/tool.ts'
import { operatorTerms } from './operator.ts'
import type { AgentTerms, ArgumentRules, RuleSet } from './rule-set.ts'

/** Undefined for an agent that the rules do not name. */
export function termsOf(principal: Principal, method: CallMethod, rules: RuleSet): AgentTerms | undefined {
  if (principal.agent === OPERATOR) return operatorTerms
  const terms = rules.agents.get(principal.agent)
  return method === 'model' && terms !== undefined ? modelTerms(rules, principal, terms) : terms
}

/**
 * An agent's terms for model requests. Limits for calls are meant for tools: only those that name the server `model`
 * apply here. Grants apply if the agent's identity level is as high as its rules require.
 */
function modelTerms(rules: RuleSet, { agent, level }: Principal, terms: AgentTerms): AgentTerms {
  const isSufficient = rules.layers.every(({ names, agents }) => {
    const required = agents.get(names.get(agent) ?? '')?.require
    return required === undefined || levelReaches(level, required.level)
  })
  return {
    ...terms,
    grants: isSufficient ? terms.grants : [],
    limits: {},
    serverLimits: {
      lookup: (name) => terms.serverLimits.lookup(name).filter(({ server }) => server === name),
      names: terms.serverLimits.names,
    },
  }
}

/** Applies the rules' terms to the call: grants, arguments, deadline. */
export function withTerms(call: Call, target: RuleTarget, terms: AgentTerms, clock: Clock): Call {
  const shaped = shapeArguments(call, target, terms)
  if (shaped !== undefined) call.trail.notes.push(...shaped.notes)
  let { timeout_ms: timeout = Infinity } = terms.limits
  for (const { limits: atServer } of terms.serverLimits.lookup(target.server)) {
    timeout = Math.min(timeout, atServer.timeout_ms ?? Infinity)
  }
  const now = clock()
  const shapedMs = shaped === undefined ? 0 : commandWaitMs(call.resolvedTool, shaped.arguments)
  return {
    ...call,
    arguments: shaped?.arguments ?? call.arguments,
    grants: terms.grants,
    // The rules may give a command more time than the caller requested when the call was made.
    deadline: Math.min(Math.max(call.deadline, now + shapedMs), now + timeout),
  }
}

type RuleTarget = Pick<Call, 'server' | 'tool'>

/** The arguments that the tool gets, if the rules name some for it. */
export function shapeArguments(
  call: Call,
  { server, tool }: RuleTarget,
  { args }: AgentTerms,
): ReturnType<typeof applyArgumentRules> | undefined {
  const rules = call.method === 'tool' ? args.get(`${server}.${tool}`) : undefined
  return rules && applyArgumentRules(call.arguments, rules)
}

/** Applies the rules' defaults and fixed values to the caller's arguments, with a note for each replaced value. */
export function applyArgumentRules(
  callerArguments: JsonObject,
  rules: readonly ArgumentRules[],
): { arguments: JsonObject; notes: string[] } {
  const defaults: JsonObject = Object.assign({}, ...rules.map((rule) => rule.defaults))
  const fixed: JsonObject = Object.assign({}, ...rules.map((rule) => rule.fixed))
  const notes = Object.entries(fixed)
    .filter(
      ([name, value]) =>
        Object.hasOwn(callerArguments, name) && canonicalJson(callerArguments[name]) !== canonicalJson(value),
    )
    .map(([name]) => {
      const place = rules.findLast((rule) => Object.hasOwn(rule.fixed, name))?.place.path ?? '$'
      return `argument ${JSON.stringify(name)} replaced by ${place}.fixed`
    })
  return { arguments: { ...defaults, ...callerArguments, ...fixed }, notes }
}
