/** One change to a rules file, with every other byte preserved. Data in, text out. */

import { OWN_SERVER } from '../../../core/call.ts'
import {
  capabilityKinds,
  formatCapability,
  parseCapability,
  scopeProblem,
  type Capability,
} from '../../../core/capability.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { canonicalJson, type Json } from '@contextd/shared/json/value'
import { reviseJson } from '@contextd/shared/json/revise-json'
import { indexGlobs, isWildcard } from '../../../platform/glob.ts'
import { builtinAgent } from '../compile-rules.ts'
import { subtractCapabilities } from '../capability-grants.ts'
import { allowsOwnServer, checkRules } from '../compile-rules.ts'
import { formatRulePath } from '../rule-path.ts'
import { rulesInvalid } from '../rules-problem.ts'
import type { AccessDocument, AgentDocument, Reveal, RulesDocument } from '../rules-schema.ts'

export type RuleChange =
  | { readonly kind: 'allow' | 'deny'; readonly server: string; readonly tool?: string }
  | { readonly kind: 'grant'; readonly capability: string }
  | { readonly kind: 'reveal'; readonly reveal: Reveal }

export interface RulesText {
  readonly file: string
  /** Undefined if the built-in rules apply. */
  readonly text: string | undefined
}

/** A new file. Grants what the built-in rules grant: for our own server, an agent without `allow` has them. */
export const startText = `${JSON.stringify(
  { agents: { main: {}, default: {} }, defaults: { deny_on_missing_agent: false } },
  null,
  2,
)}\n`

/**
 * Returns the text with the change; the same text if it already says so. Throws USAGE if another rule prevents the
 * change, and RULES_INVALID if the file is invalid, before or after.
 */
export function changeRules({ file, text = startText }: RulesText, name: string, change: RuleChange): string {
  const document = documentOf(text, file)
  const id = idOf(document, name)
  const before = document.agents?.[id]
  if (before === undefined && change.kind === 'deny') {
    const hasDefault =
      document.defaults?.deny_on_missing_agent === false &&
      Object.hasOwn(document.agents ?? {}, idOf(document, 'default'))
    throw impossible(
      hasDefault
        ? `the rules do not name the agent ${name}: an agent of a client with this name has the rules of default`
        : `the rules do not name the agent ${name}, so everything is denied already`,
    )
  }
  const agent = changeAgent(before ?? {}, ['agents', id], change)
  if (before !== undefined && canonicalJson(agent) === canonicalJson(before)) return text
  const changed = reviseJson(text, { ...document, agents: { ...document.agents, [id]: agent } } as Json)
  documentOf(changed, file)
  return changed
}

function documentOf(text: string, file: string): RulesDocument {
  const { read, problems } = checkRules({ text, file })
  if (read === undefined || problems.length > 0) throw rulesInvalid(problems)
  return read.document
}

function idOf({ agents = {} }: RulesDocument, name: string): string {
  const owner = Object.entries(agents).find(([, { aliases = [] }]) => aliases.includes(name))
  return owner?.[0] ?? name
}

function changeAgent(agent: AgentDocument, path: readonly string[], change: RuleChange): AgentDocument {
  switch (change.kind) {
    case 'allow':
      return allowing(agent, path, change)
    case 'deny':
      return { ...agent, deny: withEntry(agent.deny, change) }
    case 'grant':
      return granting(agent, path, change.capability)
    case 'reveal': {
      const { reveal = [] } = agent
      const isThere = reveal.some((one) => canonicalJson(one) === canonicalJson(change.reveal))
      const granted = granting(agent, path, 'secret:reveal')
      return isThere ? granted : { ...granted, reveal: [...reveal, change.reveal] }
    }
  }
}

interface Target {
  readonly server: string
  readonly tool?: string
}

function allowing(agent: AgentDocument, path: readonly string[], target: Target): AgentDocument {
  const opened = withoutDeny(agent, target)
  refuseIfDenied(opened, path, target)
  const { server, tool } = target
  const { allow = {} } = opened
  // Naming our own server would replace the built-in rules, which allow all of it.
  if (server === OWN_SERVER && !allowsOwnServer(opened)) return opened
  const isServerAllowed = matches(allow.servers, server)
  const lists = Object.entries(allow.tools ?? {}).filter(([pattern]) => matches([pattern], server))
  const isOpen = isServerAllowed && lists.length === 0
  const needsTool = tool !== undefined && !isOpen && !lists.some(([, tools]) => matches(tools, tool))
  const withServer = isServerAllowed ? allow : withEntry(allow, { server })
  const changed = needsTool ? withEntry(withServer, { server, tool }) : withServer
  return changed === allow ? opened : { ...opened, allow: changed }
}

/** Without the deny of exactly the same thing. The order of the keys is that of the file. */
function withoutDeny(agent: AgentDocument, { server, tool }: Target): AgentDocument {
  const { servers = [], tools = {} } = agent.deny ?? {}
  const list = tool === undefined ? servers : (tools[server] ?? [])
  const left = list.filter((name) => name !== (tool ?? server))
  if (left.length === list.length) return agent
  const deny =
    tool === undefined
      ? replaced(agent.deny, 'servers', left)
      : replaced(agent.deny, 'tools', replaced(tools, server, left))
  return replaced(agent, 'deny', deny)
}

/** With the value, or without the key if the value is empty: the schema forbids empty lists. */
function replaced<T extends object>(object: T | undefined, key: string, value: object): T {
  const entries = Object.entries(object ?? {}).filter(
    ([name]) => name !== key || Object.keys(value).length > 0,
  )
  return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? value : old])) as T
}

function refuseIfDenied(
  { deny = {} }: AgentDocument,
  path: readonly string[],
  { server, tool }: Target,
): void {
  const refuse = (list: readonly string[], pattern: string): never => {
    const place = formatRulePath([...path, 'deny', ...list])
    throw impossible(`${place} has ${JSON.stringify(pattern)}, which denies it and more`)
  }
  const byServer = deny.servers?.find((pattern) => matches([pattern], server))
  if (byServer !== undefined) refuse(['servers'], byServer)
  if (tool === undefined) return
  for (const [key, tools] of Object.entries(deny.tools ?? {})) {
    const byTool = matches([key], server) ? tools.find((pattern) => matches([pattern], tool)) : undefined
    if (byTool !== undefined) refuse(['tools', key], byTool)
  }
}

function withEntry(access: AccessDocument = {}, { server, tool }: Target): AccessDocument {
  const add = (list: readonly string[] = [], entry: string): string[] =>
    list.includes(entry) ? [...list] : [...list, entry]
  return tool === undefined
    ? { ...access, servers: add(access.servers, server) }
    : { ...access, tools: { ...access.tools, [server]: add(access.tools?.[server], tool) } }
}

/** The list replaces the built-in capabilities, so an agent that has those gets them in writing. */
function granting(agent: AgentDocument, path: readonly string[], text: string): AgentDocument {
  const wanted = readCapability(text)
  const opened = withoutDeniedCapability(agent, text)
  const denied = (opened.deny?.capabilities ?? []).map(readCapability)
  if (subtractCapabilities([wanted], denied).length === 0) {
    throw impossible(
      `${formatRulePath([...path, 'deny', 'capabilities'])} denies ${formatCapability(wanted)}`,
    )
  }
  const builtin = allowsOwnServer(agent) ? [] : (builtinAgent.allow?.capabilities ?? [])
  const granted = agent.allow?.capabilities ?? builtin
  const isGranted = granted.some((one) => subtractCapabilities([wanted], [readCapability(one)]).length === 0)
  return isGranted ? opened : { ...opened, allow: { ...opened.allow, capabilities: [...granted, text] } }
}

/** Without the deny of exactly this, as when a tool is allowed. */
function withoutDeniedCapability(agent: AgentDocument, text: string): AgentDocument {
  const { capabilities = [] } = agent.deny ?? {}
  if (!capabilities.includes(text)) return agent
  const left = capabilities.filter((one) => one !== text)
  return replaced(agent, 'deny', replaced(agent.deny, 'capabilities', left))
}

function readCapability(text: string): Capability {
  const capability = parseCapability(text)
  if (capability !== undefined) return capability
  throw new ContextdError('USAGE', {
    problem: scopeProblem(text) ?? `${text} is not a capability`,
    hint: `Write one of ${capabilityKinds.join(', ')}, with a scope after another colon, such as fs:read:src/**.`,
  })
}

function matches(patterns: readonly string[] | undefined, name: string): boolean {
  if (patterns === undefined) return false
  if (patterns.includes(name)) return true
  return (
    !isWildcard(name) && indexGlobs(patterns.map((pattern) => [pattern, pattern])).lookup(name).length > 0
  )
}

function impossible(problem: string): ContextdError {
  return new ContextdError('USAGE', { problem, hint: 'Run `ctxd rules edit` to change that rule.' })
}
