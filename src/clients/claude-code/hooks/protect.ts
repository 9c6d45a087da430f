/**
 * In every mode, refuses access to other agents' transcripts, contextd's own files and protected paths, commands
 * that are for the user only, and tokens that would overwrite a secret.
 */

import type { JsonObject } from '@contextd/shared/json/value'
import { guardDoor } from './guard-door.ts'
import { isAgentsTask, readGuardedPlaces, type GuardedPlaces } from './guarded-places.ts'
import {
  hookCaller,
  deny,
  toolUseOf,
  type Hook,
  type HookOutput,
  type HookPayload,
  type HookPorts,
} from './hook.ts'
import { whyTokenStops } from './kept-tokens.ts'
import { toPattern } from './path-pattern.ts'
import { describeProtected, findProtectedWrite } from './protected-writes.ts'
import { inspectShell, type ShellFinding } from './shell-guard.ts'
import { readShell } from './shell-words.ts'
import { asPath, namedPaths, pathsAnywhere, shellTexts, inputTexts } from './tool-input.ts'

type Finding = ShellFinding | 'private-holder' | 'fork-of-subagent' | 'another-broker'

const reasons: Readonly<Record<Finding, string>> = {
  transcript:
    'This is the transcript or output of another agent or session, and only that agent may read it. Use what it reported, or ask the user.',
  own: "Agents may not access contextd's folders. The user can inspect them with `ctxd`.",
  'agent-file': 'Agent files may contain private context of that agent. Leave them to the user.',
  'private-file': 'This file is private context: load_context returns it to the intended agent.',
  'operator-command': 'Only the user may run this contextd command. Ask them to run it in a terminal.',
  'client-run': 'Another client could give its agents any name. Use your own Agent tool, or ask the user.',
  'folder-of-transcripts':
    "This reads a whole folder that contains other agents' transcripts or contextd's files. Name the subfolder you need.",
  unreadable: 'This command is too long or too deeply nested to be checked. Split it up.',
  'private-holder':
    'This agent holds private context, so other agents may not message it. Start a new agent for new work.',
  'fork-of-subagent':
    'A subagent cannot fork: the copy could pass as another agent. Start an agent of a named type.',
  'another-broker':
    'This is not the contextd the user set up, and its caller identities cannot be trusted. Use theirs.',
}

export const protect: Hook = async (payload, ports) => {
  if (ports.door.isExpected) {
    const refused = await guardDoor(payload, ports)
    if (refused !== undefined) {
      await record('door-bypassed', payload, ports)
      return refused
    }
    if (payload.hook_event_name !== 'PreToolUse') return undefined
  }
  const { tool, input } = toolUseOf(payload)
  const found = await inspect(payload, tool, input, ports)
  if (found !== undefined) return refuse(found, reasons[found])
  const place = findProtectedWrite(payload, tool, input, ports)
  if (place !== undefined) return refuse('protected-place', describeProtected(place, ports))
  const token = await whyTokenStops(payload, tool, input, ports)
  return token === undefined ? undefined : refuse('secret-token', token)

  async function refuse(what: string, reason: string): Promise<HookOutput> {
    await record(what, payload, ports)
    return deny(`contextd: ${reason}`)
  }
}

async function inspect(
  payload: HookPayload,
  tool: string,
  input: JsonObject,
  ports: HookPorts,
): Promise<Finding | undefined> {
  if (tool === 'SendMessage') return (await isForHolder(payload, input, ports)) ? 'private-holder' : undefined
  if (tool === 'Agent' || tool === 'Task')
    return isForkOfSubagent(payload, input, ports) ? 'fork-of-subagent' : undefined
  if (isAnotherBroker(tool, ports)) return 'another-broker'
  if (outputTools.test(tool)) return isOtherAgents(payload, input) ? 'transcript' : undefined
  const places = await readGuardedPlaces(payload, ports)
  for (const text of shellTexts(input)) {
    const found = inspectShell(text, places, { cwd: payload.cwd, env: ports.env })
    if (found !== undefined) return found
  }
  return inspectPaths(tool, input, places, ports)
}

/**
 * A project can start its own contextd under another name, with a hook that attests arbitrary callers. Our own tools
 * do not reach this check, except those of `ctxd init` if the plugin is installed too.
 */
function isAnotherBroker(tool: string, { env }: HookPorts): boolean {
  const server = /^mcp__(.+)__load_context$/.exec(tool)?.[1]
  if (server === undefined || server === 'plugin_contextd_contextd') return false
  return server !== 'contextd' || Boolean(env.CLAUDE_PLUGIN_ROOT)
}

/** Tools that search everything below a given folder. */
const searching = /^(?:Grep|Glob|LS)$|^mcp__.*(?:search|grep|glob|tree|find|list)/i

function inspectPaths(
  tool: string,
  input: JsonObject,
  places: GuardedPlaces,
  { env }: HookPorts,
): Finding | undefined {
  const paths = namedPaths(input, env)
  for (const path of pathsAnywhere(tool, input, env)) {
    const found = places.reachedBy(path)
    if (found !== undefined) return found
  }
  const isSearch = searching.test(tool)
  const folders = isSearch && paths.length === 0 ? ['.'] : paths
  // In Grep, `pattern` is a text to search for.
  const patterns =
    isSearch && tool !== 'Grep' ? [...inputTexts(input.pattern ?? []), ...inputTexts(input.glob ?? [])] : []
  for (const path of folders) {
    const found = places.reachedBy(path)
    if (found !== undefined) return found
    if (isSearch && places.liesBelow(path)) return 'folder-of-transcripts'
    for (const pattern of patterns) {
      // Braces and character classes mean the same as in a shell.
      const glob = asPath(pattern, env)
      const spelled = [toPattern(glob), ...readShell(glob, {}).commands.flat()]
      for (const one of spelled) {
        const inFolder = places.reachedBy(one, path)
        if (inFolder !== undefined) return inFolder
      }
    }
  }
  return undefined
}

const agentInstance = /^(?:a[0-9a-f]{8,}|ses_[0-9A-Za-z]{8,})$/

/**
 * While an agent holds private context, other agents may only message the main thread and ids that certainly belong
 * to someone else, because a name may refer to any agent. Agents with the same name as the holder may message it.
 */
async function isForHolder(
  payload: HookPayload,
  { to, recipient }: JsonObject,
  ports: HookPorts,
): Promise<boolean> {
  const others = (await ports.session()).holders().filter(({ agent }) => agent !== hookCaller(payload))
  if (others.length === 0) return false
  const addressed = [to, recipient].filter((name) => typeof name === 'string')
  if (addressed.length === 0) return true
  return addressed.some((name) => {
    if (name === 'main') return others.some(({ instance }) => instance === undefined)
    return (
      !agentInstance.test(name) ||
      others.some(({ instance }) => instance === undefined || instance.startsWith(name))
    )
  })
}

/** The client does not report which agent a fork is a copy of. With this refusal, it can only be the main thread. */
function isForkOfSubagent(
  { agent_id, agent_type }: HookPayload,
  { subagent_type }: JsonObject,
  { env }: HookPorts,
): boolean {
  if (agent_id === undefined || agent_type === 'fork') return false
  if (typeof subagent_type === 'string' && subagent_type.trim() !== '')
    return subagent_type.trim().toLowerCase() === 'fork'
  return Boolean(env.CLAUDE_CODE_FORK_SUBAGENT)
}

/** Tools of older and newer clients that print the output of a background agent. */
const outputTools = /^(?:TaskOutput|AgentOutput|BashOutput)(?:Tool)?$/

const taskId = /^[a-z][0-9a-z]{8}$/

function isOtherAgents({ agent_id }: HookPayload, input: JsonObject): boolean {
  return inputTexts(input)
    .map((text) => text.trim())
    .some((id) => (/^a/i.test(id) || (taskId.test(id) && isAgentsTask(id))) && id !== agent_id)
}

/** The refusal applies whether or not it can be recorded. */
async function record(what: string, payload: HookPayload, ports: HookPorts): Promise<void> {
  try {
    const session = await ports.session()
    session.event('hook-refused', {
      hook: 'protect',
      tool: payload.tool_name ?? '',
      what,
      agent: hookCaller(payload),
    })
  } catch {
    // The store is not available.
  }
}
