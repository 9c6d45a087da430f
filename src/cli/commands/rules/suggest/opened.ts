/** What a change opens besides the refused call, computed from both versions of the rules, in words. */

import { OWN_SERVER } from '../../../../core/call.ts'
import { parseCapability, type Capability } from '../../../../core/capability.ts'
import {
  compareRules,
  type ComparedTool,
  type DecisionChange,
} from '../../../../stages/policy/edit/compare-rules.ts'
import { evaluateServer } from '../../../../stages/policy/evaluate.ts'
import type { RuleSet } from '../../../../stages/policy/rule-set.ts'
import { describeGrant } from '../../../../tools/http/host-grants.ts'
import type { RefusalGroup } from './refusals.ts'

export interface OpenedTerms {
  readonly before: RuleSet
  readonly after: RuleSet
  /** contextd's own tools, and the known tools of other servers. */
  readonly tools: readonly ComparedTool[]
}

const maxNames = 8

export function describeOpened(refusal: RefusalGroup, { before, after, tools }: OpenedTerms): string[] {
  const { agent, server, tool } = refusal
  const { decisions, terms } = compareRules(before, after, tools)
  const opened = decisions.filter(
    (one) => one.to === 'allow' && !(one.agent === agent && one.server === server && one.tool === tool),
  )
  const closed = [
    ...decisions
      .filter(({ to }) => to === 'deny')
      .map((one) => `${one.agent} loses ${one.server}.${one.tool}`),
    ...terms.flatMap(({ agent: id, removed }) => removed.map((term) => `${id} loses ${term}`)),
  ]
  const granted = terms.flatMap(({ agent: id, added }) =>
    added.map((term) => (id === agent ? '' : `${id}: `) + describeTerm(term, refusal)),
  )
  const seen =
    sees(after, refusal) && !sees(before, refusal) ? [`${agent} sees that the server ${server} exists`] : []
  return [
    ...agentsMeant(refusal, after),
    ...toolsOpened(opened, refusal, tools),
    ...seen,
    ...granted,
    ...closed,
  ]
}

function sees(rules: RuleSet, { agent, server }: RefusalGroup): boolean {
  return (
    server !== OWN_SERVER && evaluateServer(rules, { agent, level: 'attested', server }).effect === 'allow'
  )
}

/** Who has the rules of this agent. */
function agentsMeant({ agent }: RefusalGroup, { layers }: RuleSet): string[] {
  const aliases = layers.flatMap(({ names }) =>
    [...names].flatMap(([name, id]) => (id === agent && name !== agent ? [name] : [])),
  )
  return [
    ...(agent === 'default' ? ['for every agent that the rules do not name: they all are "default"'] : []),
    ...(aliases.length > 0 ? [`for its other names too: ${[...new Set(aliases)].join(', ')}`] : []),
  ]
}

function toolsOpened(
  opened: readonly DecisionChange[],
  { agent, server, tool }: RefusalGroup,
  tools: readonly ComparedTool[],
): string[] {
  const lists = [...new Set(opened.map((one) => one.agent))].map((id) => {
    const changes = opened.filter((one) => one.agent === id)
    const names = changes.slice(0, maxNames).map((one) => `${one.server}.${one.tool}`)
    const more = changes.length > maxNames ? ` and ${changes.length - maxNames} more` : ''
    return `${id} may also use ${names.join(', ')}${more}`
  })
  if (lists.length > 0) return lists
  const isKnown = server === OWN_SERVER || tools.some((one) => one.server === server)
  return [
    isKnown
      ? 'no other tool, for no other agent'
      : `no other tool that is known (the tools of ${server} are not); ${agent} gets ${tool} only`,
  ]
}

function describeTerm(term: string, { agent }: RefusalGroup): string {
  const capability = parseCapability(term)
  return capability === undefined
    ? `${agent} gets ${term}`
    : `${agent} gets ${term}: ${describeCapability(capability)}`
}

function describeCapability(capability: Capability): string {
  const { kind, scope } = capability
  switch (kind) {
    case 'http:fetch':
      return `all its tools and commands may ${describeGrant(capability)}, any path${scope?.includes('@') === true ? '' : ', any method'}`
    case 'fs:read':
    case 'fs:write': {
      const action = kind === 'fs:read' ? 'read' : 'write'
      if (scope === undefined) return `all its file tools may ${action} every path of the machine`
      const where = /^[/~]/.test(scope) ? '' : ', in the workspace of every project'
      return `all its file tools may ${action} ${scope.endsWith('**') ? 'everything there' : 'it'}${where}; commands too, in the sandbox`
    }
    case 'shell:exec':
      return scope === undefined
        ? 'any command, in the sandbox'
        : 'this command with exactly these words, in the sandbox'
    case 'shell:cache':
      return 'its commands keep what they download between runs'
    case 'secret:reveal':
      return 'its reveal rules take effect, each for every secret of its session'
    case 'net:connect':
      return 'its commands may use whatever listens on that port'
    case 'memory:read':
    case 'memory:write':
    case 'scrubber:scan':
      return 'every tool that needs it'
  }
}
