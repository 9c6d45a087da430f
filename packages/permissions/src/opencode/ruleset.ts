/** Merges all `permission`s as OpenCode does: one list per agent, in which the last matching rule decides. Pure. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { Place } from '../findings/finding.ts'
import { groupBy } from '../findings/group-by.ts'
import { once, oncePer } from '@contextd/shared/once'
import { agentModes, openCodeAgents, firstRules, lastRules, type AgentMode } from './client-rules.ts'
import type { OpenCodeSetup, OpenCodeSource, SourceLevel } from './setup.ts'
import { isAny, matches } from './wildcard.ts'
import { definitionsIn, sourcePlace, valueIn, type Definition } from './written.ts'

export const actions = ['allow', 'ask', 'deny'] as const
export type Action = (typeof actions)[number]

export interface OpenCodeRule {
  readonly tool: string
  /** Matches the argument of the call; `~/` and `$HOME` are already expanded. */
  readonly pattern: string
  readonly action: Action
}

/** A rule from a file or variable, as opposed to a built-in one. */
export interface RuleStatement extends OpenCodeRule, Place {
  readonly level: SourceLevel
  /** Its path in the file. */
  readonly path: JsonPath
}

export interface Merged {
  readonly statements: readonly RuleStatement[]
  /** Statements replaced by later ones, which keep their position. */
  readonly replaced: readonly Replaced[]
}

export interface Replaced {
  readonly statement: RuleStatement
  readonly by: readonly RuleStatement[]
}

export interface OpenCodeAgentRules extends Merged {
  readonly name: string
  /** Whether a file defines or configures it; others are built in. */
  readonly isWritten: boolean
  readonly mode: AgentMode
  readonly rules: Layers
}

/** All rules that apply to an agent, built-in ones first. Shared layers are stored once. */
export type Layers = readonly (readonly OpenCodeRule[])[]

export interface Rulesets {
  /** For all agents. */
  readonly shared: Merged
  readonly agents: ReadonlyMap<string, OpenCodeAgentRules>
  /** The agent of new conversations. */
  readonly main: OpenCodeAgentRules
}

export const rulesetsOf = oncePer(makeRulesets)

export function isStatement(rule: OpenCodeRule): rule is RuleStatement {
  return 'file' in rule
}

export function decidingRule(layers: Layers, tool: string, argument: string): OpenCodeRule | undefined {
  return lastIn(layers, (rules) =>
    rules.findLast((rule) => matches(tool, rule.tool) && matches(argument, rule.pattern)),
  )
}

/** The rule that decides a call with an argument that matches no specific pattern. */
export function decideAny(layers: Layers, tool: string): OpenCodeRule | undefined {
  return lastIn(layers, (rules) => decidedAny(rules)(tool))
}

/** Cached, as all agents share the same layers. */
const decidedAny = oncePer((rules: readonly OpenCodeRule[]) =>
  once((tool) => rules.findLast((rule) => isAny(rule.pattern) && matches(tool, rule.tool))),
)

function lastIn(
  layers: Layers,
  find: (rules: readonly OpenCodeRule[]) => OpenCodeRule | undefined,
): OpenCodeRule | undefined {
  for (const rules of layers.toReversed()) {
    const rule = find(rules)
    if (rule !== undefined) return rule
  }
  return undefined
}

function makeRulesets({ sources, home, ownFolders }: OpenCodeSetup): Rulesets {
  const configs = sources.filter((source) => source.kind === 'config')
  // `permission` overrides `tools`, even if `tools` is in a later file.
  const shared = mergeTrees(home, [
    ...configs.map((source) => treeOfTools(source, ['tools'])),
    ...configs.map((source) => treeOfPermission(source, ['permission'])),
  ])
  const definitions = collectAgents(sources)
  const first = firstRules(ownFolders)
  const agents = new Map<string, OpenCodeAgentRules>()
  for (const name of new Set([...openCodeAgents.keys(), ...definitions.keys()])) {
    const parts = definitions.get(name) ?? []
    if (lastMatch(parts, ({ isOff }) => isOff) === true) continue
    const builtin = openCodeAgents.get(name)
    const own = mergeTrees(
      home,
      parts.map(({ tree }) => tree),
    )
    agents.set(name, {
      name,
      ...own,
      isWritten: parts.length > 0,
      mode: lastMatch(parts, ({ mode }) => mode) ?? builtin?.mode ?? 'all',
      rules: withLast([first, builtin?.rules ?? [], shared.statements, own.statements], ownFolders),
    })
  }
  const chosen = lastMatch(configs, ({ value }) => textOf(value.default_agent))
  const main = agents.get(chosen ?? 'build') ?? Array.from(agents.values()).find(isPrimary)
  return { shared, agents, main: main ?? placeholderAgent(first, shared) }
}

function withLast(layers: Layers, ownFolders: readonly string[]): Layers {
  return [...layers, lastRules(ownFolders, layers.flat())]
}

const isPrimary = ({ mode }: OpenCodeAgentRules): boolean => mode !== 'subagent'

/** If all primary agents are disabled, the client starts no conversation; explanations still need a main agent. */
function placeholderAgent(first: readonly OpenCodeRule[], shared: Merged): OpenCodeAgentRules {
  const rules = [first, shared.statements]
  return { name: 'build', isWritten: false, mode: 'primary', rules, statements: [], replaced: [] }
}

interface AgentPart {
  readonly agent: string
  readonly tree: Tree
  readonly mode: AgentMode | undefined
  readonly isOff: boolean | undefined
}

/** Definitions by agent, from Markdown files and configurations. */
function collectAgents(sources: readonly OpenCodeSource[]): Map<string, AgentPart[]> {
  const definitions = [...definitionsIn(sources)]
  const isInMode = ({ path }: Definition): boolean => path[0] === 'mode'
  // `mode` overrides `agent`, in any file.
  const ordered = [...definitions.filter((one) => !isInMode(one)), ...definitions.filter(isInMode)]
  const parts = ordered.flatMap(({ source, path, value, agent }): AgentPart[] => {
    if (agent === undefined) return []
    const tree = mergedTree([
      treeOfTools(source, [...path, 'tools']),
      treeOfPermission(source, [...path, 'permission']),
    ])
    const isMode = source.kind === 'agent' ? source.isMode : path[0] === 'mode'
    const mode = isMode ? 'primary' : agentModes.find((known) => known === value.mode)
    return [{ agent, tree, mode, isOff: typeof value.disable === 'boolean' ? value.disable : undefined }]
  })
  return groupBy(parts, ({ agent }) => agent)
}

/** By tool: one rule for all calls, or one per pattern. */
type Tree = ReadonlyMap<string, RuleStatement | ReadonlyMap<string, RuleStatement>>

function treeOfPermission(source: OpenCodeSource, path: JsonPath): Tree {
  const value = valueIn(source, path)
  const isChecked = source.kind === 'agent' || !source.isUnchecked
  if (isAction(value) && isChecked) return new Map([['*', statement(source, path, '*', '*', value)]])
  const tree = new Map<string, RuleStatement | ReadonlyMap<string, RuleStatement>>()
  for (const [tool, rule] of Object.entries(isJsonObject(value) ? value : {})) {
    const at = [...path, tool]
    const action = actionOf(source, rule)
    if (action !== undefined) tree.set(tool, statement(source, at, tool, '*', action))
    else if (isJsonObject(rule)) tree.set(tool, patternsOf(source, at, tool, rule))
  }
  return tree
}

function patternsOf(
  source: OpenCodeSource,
  path: JsonPath,
  tool: string,
  rules: JsonObject,
): Map<string, RuleStatement> {
  const patterns = new Map<string, RuleStatement>()
  for (const [pattern, word] of Object.entries(rules)) {
    const action = actionOf(source, word)
    if (action === undefined) continue
    patterns.set(pattern, statement(source, [...path, pattern], tool, pattern, action))
  }
  return patterns
}

/** In unvalidated sources, the client treats unknown words as ask. */
function actionOf(source: OpenCodeSource, word: Json): Action | undefined {
  if (isAction(word)) return word
  return typeof word === 'string' && source.kind === 'config' && source.isUnchecked ? 'ask' : undefined
}

/** `tools: {x: false}`, the predecessor of `permission`. */
function treeOfTools(source: OpenCodeSource, path: JsonPath): Tree {
  const value = valueIn(source, path)
  const tree = new Map<string, RuleStatement>()
  for (const [name, isOn] of Object.entries(isJsonObject(value) ? value : {})) {
    if (typeof isOn !== 'boolean') continue
    const tool = ['write', 'edit', 'patch'].includes(name) ? 'edit' : name
    tree.set(tool, statement(source, [...path, name], tool, '*', isOn ? 'allow' : 'deny'))
  }
  return tree
}

function mergeTrees(home: string, trees: readonly Tree[]): Merged {
  const replaced: Replaced[] = []
  const tree = mergedTree(trees, replaced)
  const written = Array.from(tree.values(), statementsIn).flat()
  const statements = written.map((one) => withHome(one, home))
  return { statements: statements.slice(-maxStatements), replaced: replaced.slice(-maxStatements) }
}

function withHome(one: RuleStatement, home: string): RuleStatement {
  return { ...one, pattern: one.pattern.replace(/^(?:~(?=\/|$)|\$HOME)/, () => home) }
}

/** No real setup has more; limits the time for larger files. */
const maxStatements = 1000

/** Like the client, keeps the first position of a key, and its last value. */
function mergedTree(trees: readonly Tree[], replaced: Replaced[] = []): Tree {
  const merged = new Map<string, RuleStatement | Map<string, RuleStatement>>()
  for (const tree of trees) {
    for (const [tool, next] of tree) {
      const now = merged.get(tool)
      if (now instanceof Map && next instanceof Map) {
        for (const [pattern, one] of next) {
          const before = now.get(pattern)
          if (before !== undefined) replaced.push({ statement: before, by: [one] })
          now.set(pattern, one)
        }
        continue
      }
      if (now !== undefined) {
        const by = statementsIn(next)
        replaced.push(...statementsIn(now).map((before) => ({ statement: before, by })))
      }
      merged.set(tool, next instanceof Map ? new Map(next) : (next as RuleStatement))
    }
  }
  return merged
}

function statementsIn(entry: RuleStatement | ReadonlyMap<string, RuleStatement>): RuleStatement[] {
  return entry instanceof Map
    ? [...(entry as ReadonlyMap<string, RuleStatement>).values()]
    : [entry as RuleStatement]
}

function statement(
  source: OpenCodeSource,
  path: JsonPath,
  tool: string,
  pattern: string,
  action: Action,
): RuleStatement {
  return { level: source.level, path, tool, pattern, action, ...sourcePlace(source, path) }
}

export function isAction(value: Json | undefined): value is Action {
  return actions.includes(value as Action)
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function lastMatch<T, R>(items: readonly T[], pick: (item: T) => R | undefined): R | undefined {
  return items.reduce<R | undefined>((last, item) => pick(item) ?? last, undefined)
}
