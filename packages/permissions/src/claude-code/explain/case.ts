/** Everything relevant to one question, looked up once: caller, tool, argument, mode and rules. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { Place } from '../../findings/finding.ts'
import { claudeAgents } from './agent-tools.ts'
import { builtin, canonicalTool, type BuiltinKind } from '../rules/builtin-tools.ts'
import type { Ground } from '../../findings/explanation.ts'
import type { PermissionQuestion } from './question.ts'
import { absolutePath } from '../rules/path-rule.ts'
import type { ToolName } from './rule-match.ts'
import { rulesInForce, withSkillRules, type RuleInForce } from './in-force/rules-in-force.ts'
import { modeInForce, type ModeInForce } from './session-mode.ts'
import { calledSkill, findSkill, missingSkill, type KnownSkill } from './skills.ts'
import type { AgentFile, ClaudeSetup, FileNames, McpServer } from '../setup/setup.ts'
import { parseToolName, rewrittenName } from '../rules/tool-names.ts'

/** Why a tool, agent or skill is not available. */
export interface Absence {
  readonly place?: Place
  readonly rule: string
  readonly source: Ground['source']
  /** In one sentence. */
  readonly why: string
}

export interface Case {
  readonly setup: ClaudeSetup
  readonly tool: ToolName
  /** Absent for MCP tools and unknown names. */
  readonly kind?: BuiltinKind
  readonly isFree: boolean
  readonly isMcp: boolean
  /** For files, the absolute path. */
  readonly argument?: string
  /** The names of the file, for tools that take one. */
  readonly names?: FileNames
  /** The calling agent, unless it is the plain main conversation: its file, or the name of a built-in agent. */
  readonly agent?: AgentFile | string
  /** The agent of the main conversation, regardless of the caller. */
  readonly main?: AgentFile
  /** Whether the caller is the main conversation, not a subagent. */
  readonly isMain: boolean
  readonly mode: ModeInForce
  readonly rules: readonly RuleInForce[]
  /** The project and added folders, each with all of its names. */
  readonly folders: readonly string[]
  readonly server?: McpServer
  /** The called skill, for the Skill tool; absent if unknown. */
  readonly skill?: KnownSkill
  /** Why the tool does not exist for any caller. */
  readonly missing?: Absence
}

export function readCase(setup: ClaudeSetup, question: PermissionQuestion): Case {
  const caller = readCaller(setup, question)
  const rules = rulesInForce(setup, question)
  const running = question.skill === undefined ? undefined : findSkill(setup, question.skill)
  return {
    setup,
    ...caller,
    ...readCall(setup, question.tool, fileOf(caller.agent)),
    rules: running?.file === undefined ? rules : withSkillRules(running.file, rules, setup),
    folders: [setup.project, ...addedFolders(setup)].flatMap((folder) => setup.namesOf(folder).all),
  }
}

type Caller = Pick<Case, 'agent' | 'main' | 'isMain' | 'mode'>

function readCaller(setup: ClaudeSetup, question: PermissionQuestion): Caller {
  const isMain = question.agent === undefined
  const mainOrName = mainAgent(setup, question.runAs)
  const main = fileOf(mainOrName)
  const agent = question.agent === undefined ? mainOrName : namedAgent(setup, question.agent)
  return {
    isMain,
    // The `permissionMode` of an agent applies to subagents only.
    mode: modeInForce(setup, question.mode, isMain ? undefined : fileOf(agent)),
    ...(agent !== undefined && { agent }),
    ...(main !== undefined && { main }),
  }
}

type CalledTool = Omit<Case, keyof Caller | 'setup' | 'rules' | 'folders'>

function readCall(setup: ClaudeSetup, call: string, agent: AgentFile | undefined): CalledTool {
  const { name, argument } = splitToolCall(call)
  if (name.startsWith('mcp__'))
    return { ...mcpTool(setup, name, agent), ...(argument !== undefined && { argument }) }
  const known = builtin(name)
  const isPath = known?.kind === 'read' || known?.kind === 'write'
  const names = isPath && argument !== undefined ? setup.namesOf(absolutePath(argument, setup)) : undefined
  const called = known?.kind === 'skill' && argument !== undefined ? calledSkill(argument) : undefined
  const skill = called === undefined ? undefined : findSkill(setup, called)
  const missing =
    missingBuiltin(known) ??
    (known?.kind === 'agent' ? missingAgent(setup, argument) : undefined) ??
    (called === undefined ? undefined : missingSkill(setup, called, skill))
  return {
    tool: { name },
    isMcp: false,
    isFree: known?.isFree === true,
    ...(known !== undefined && { kind: known.kind }),
    ...(argument !== undefined && { argument: names?.all[0] ?? called ?? argument }),
    ...(names !== undefined && { names }),
    ...(skill !== undefined && { skill }),
    ...(missing !== undefined && { missing }),
  }
}

function mcpTool(setup: ClaudeSetup, name: string, agent: AgentFile | undefined): CalledTool {
  const server = serverOf(setup, name, agent)
  const prefix = server?.prefix ?? parseToolName(name)?.prefix
  const missing = missingOfServer(setup, name, server)
  return {
    tool: { name, ...(prefix !== undefined && { prefix }) },
    isMcp: true,
    isFree: false,
    ...(server !== undefined && { server }),
    ...(missing !== undefined && { missing }),
  }
}

/** Splits `Bash(npm test)`; empty parentheses or `*` ask about the tool as a whole. */
export function splitToolCall(text: string): { readonly name: string; readonly argument?: string } {
  const parts = /^([^(]+)\((.*)\)$/s.exec(text.trim())
  if (parts === null) return { name: canonicalTool(text.trim()) }
  const argument = parts[2]!
  return { name: canonicalTool(parts[1]!), ...(argument !== '' && argument !== '*' && { argument }) }
}

function fileOf(agent: Case['agent']): AgentFile | undefined {
  return typeof agent === 'object' ? agent : undefined
}

function namedAgent(setup: ClaudeSetup, name: string): AgentFile | string {
  return setup.agents.find((agent) => agent.name === name) ?? name
}

/** From the start flag, or from the strongest settings that name an existing agent. */
function mainAgent(setup: ClaudeSetup, started: string | undefined): AgentFile | string | undefined {
  if (started !== undefined) return namedAgent(setup, started)
  const isKnown = (name: unknown): name is string =>
    typeof name === 'string' &&
    (claudeAgents.includes(name) || setup.agents.some((agent) => agent.name === name))
  const ofPlugins = setup.plugins.flatMap(({ name, settings }) => {
    const agent = settings?.agent
    return typeof agent === 'string' ? [agent, `${name}:${agent}`] : []
  })
  const configured = [...setup.settings.map(({ value }) => value.agent), ...ofPlugins].find(isKnown)
  return configured === undefined ? undefined : namedAgent(setup, configured)
}

/** Prefers running servers, then the longest prefix. */
function serverOf(setup: ClaudeSetup, tool: string, agent: AgentFile | undefined): McpServer | undefined {
  return setup.servers
    .filter(({ prefix, source, owner }) => {
      const isReachable = source !== 'agent' || owner === agent?.name
      return isReachable && (tool === prefix || tool.startsWith(`${prefix}__`))
    })
    .toSorted(
      (a, b) =>
        Number(a.off !== undefined) - Number(b.off !== undefined) || b.prefix.length - a.prefix.length,
    )[0]
}

function missingOfServer(
  { missingPlugins }: ClaudeSetup,
  tool: string,
  server: McpServer | undefined,
): Absence | undefined {
  if (server === undefined)
    return noTool(`No MCP server here has tools with this prefix${missingPluginsNote(missingPlugins)}.`)
  const absent = { place: server, rule: server.fullName, source: 'server' } as const
  if (server.off !== undefined)
    return { ...absent, why: `The client does not start the server ${server.fullName}: ${server.off}` }
  const name = tool.slice(server.prefix.length + 2)
  const isKnown = server.tools?.some((one) => rewrittenName(one) === name)
  if (name === '' || isKnown !== false) return undefined
  return { ...absent, why: `The server ${server.fullName} has no such tool.` }
}

function missingBuiltin(known: ReturnType<typeof builtin>): Absence | undefined {
  if (known === undefined) return noTool('The client has no tool with this name.')
  return known.isElsewhere
    ? noTool('The client offers this tool only with a terminal, or in other versions.')
    : undefined
}

function missingAgent(
  { agents, missingPlugins }: ClaudeSetup,
  type: string | undefined,
): Absence | undefined {
  const isKnown =
    type === undefined || claudeAgents.includes(type) || agents.some(({ name }) => name === type)
  const [plugin] = type?.split(':') ?? []
  if (isKnown || missingPlugins.includes(plugin!)) return undefined
  return { rule: 'no such agent', source: 'agent', why: 'There is no agent with this name.' }
}

/** Suffix for messages about missing things, which one of these plugins may provide. */
export function missingPluginsNote(plugins: readonly string[]): string {
  if (plugins.length === 0) return ''
  const which = plugins.length === 1 ? `the plugin ${plugins[0]} is` : `the plugins ${plugins.join(', ')} are`
  return `; ${which} enabled but not installed, so what ${plugins.length === 1 ? 'it provides' : 'they provide'} is unknown`
}

const noTool = (why: string): Absence => ({ rule: 'no such tool', source: 'server', why })

function addedFolders(setup: ClaudeSetup): string[] {
  const ofSettings = setup.settings.flatMap(({ level, value }) => {
    if (level === 'project' && !setup.isTrusted) return []
    const added = isJsonObject(value.permissions) ? value.permissions.additionalDirectories : undefined
    const texts = Array.isArray(added) ? added.filter((folder) => typeof folder === 'string') : []
    return texts.map((folder) => absolutePath(folder, setup))
  })
  return [...setup.addedFolders, ...ofSettings]
}
