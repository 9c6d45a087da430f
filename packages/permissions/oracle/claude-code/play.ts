/** Plays a scene with the real client. */

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { isJsonObject } from '@contextd/shared/json/value'
import { runClaude, startAgent } from '../../../../test/clients/claude-code.ts'
import {
  makePlace,
  programFolders,
  type ClientRun,
  type Place,
  type Seen,
} from '../../../../test/clients/client-run.ts'
import { follow, type Scripts, type Turn } from '../../../../test/clients/scripted-model.ts'
import type { Played } from './compare.ts'
import { byName, explained, setUp } from './outcomes.ts'
import { checkTraces, linesOf, seenBy } from './probed-run.ts'
import type { Outcome, Probe, Scene } from './scene.ts'

export async function play(scenes: readonly Scene[]): Promise<Played[]> {
  const place = makePlace()
  const filled = scenes.map((scene) => setUp(scene, place))
  // Computed before the client changes its files.
  const predicted = filled.map((scene) => explained(scene, place))
  const [first] = filled as [Scene]
  const run = await runClaude(
    startingIn(first, withManaged(place)),
    scriptsOf(filled),
    flagsOf(first, place),
    environmentOf(first),
  )
  const refused = refusedIn(run)
  const called = linesOf(join(place.root, 'calls.txt'))
  return filled.map((scene, number) => {
    const hasTools = isStarted(run, scene, number) && !isToolless(run, scriptOf(scene, number))
    const did = scene.probes.map((probe, at): Outcome => {
      if (!hasTools) return 'no such tool'
      const id = probeId(number, at)
      const outcome = outcomeOf(seenBy(run, id, scene), refused.has(id))
      const traces = tracesOf(probe, called.has(id), place.project)
      checkTraces(`${scene.name}: ${probe.asked}`, outcome, traces)
      return outcome
    })
    const given = scenes[number]!
    return { scene: given.name, client: byName(given, did), explain: byName(given, predicted[number]!) }
  })
}

const probeId = (scene: number, at: number): string => `toolu_probe_${scene}_${at}`
const agentId = (scene: number): string => `toolu_agent_${scene}`

const scriptOf = ({ agent }: Scene, number: number): string =>
  agent === undefined ? 'main' : `agent-${number}`

const isStarted = (run: ClientRun, { agent }: Scene, number: number): boolean =>
  agent === undefined || !run.saw(agentId(number)).isError

/** An agent without any tools cannot follow the script. */
function isToolless({ requests }: ClientRun, script: string): boolean {
  return requests.some(
    ({ body: { tools, messages } }) =>
      (!Array.isArray(tools) || tools.length === 0) && JSON.stringify(messages).includes(follow(script)),
  )
}

/** The main conversation runs its probes, then starts the agents in sequence. */
function scriptsOf(scenes: readonly Scene[]): Scripts {
  const turns = scenes.map(({ probes, after }, number): Turn[] => [
    ...(after === undefined
      ? []
      : [[{ id: `toolu_skill_${number}`, tool: 'Skill', input: { skill: after } }]]),
    ...probes.map(({ tool, input }, at) => [{ id: probeId(number, at), tool, input }]),
  ])
  const main = scenes.flatMap(({ agent }, number): Turn[] =>
    agent === undefined
      ? turns[number]!
      : [[startAgent(agentId(number), agent, scriptOf(scenes[number]!, number))]],
  )
  const agents = scenes.map((scene, number) => [scriptOf(scene, number), [...turns[number]!, 'done']])
  return { ...Object.fromEntries(agents), main: [...main, 'done'] }
}

function flagsOf(scene: Scene, place: Place): string[] {
  const { mode, cliAllow, cliDeny, runAs, plugins = [], addDirs = [] } = scene
  return [
    ...(mode === undefined ? [] : ['--permission-mode', mode]),
    ...(cliAllow === undefined ? [] : ['--allowedTools', ...cliAllow]),
    ...(cliDeny === undefined ? [] : ['--disallowedTools', ...cliDeny]),
    ...(runAs === undefined ? [] : ['--agent', runAs]),
    ...plugins.flatMap((folder) => ['--plugin-dir', join(place.root, folder)]),
    ...addDirs.flatMap((folder) => ['--add-dir', folder]),
  ]
}

/** A shell stores the logical path of its folder in `PWD`, which programs may use. */
function startingIn({ startedIn }: Scene, place: Place): Place {
  if (startedIn === undefined) return place
  const go = ['-c', 'cd "$0" && exec "$@"', join(place.root, startedIn)]
  return { ...place, start: (program, args, env) => place.start('sh', [...go, program, ...args], env) }
}

/**
 * As root, the client refuses to bypass permissions unless it believes it is in a sandbox; and without socat its own
 * sandbox is unavailable.
 */
function environmentOf(scene: Scene): NodeJS.ProcessEnv {
  const text = JSON.stringify(scene)
  return {
    ...(text.includes('bypassPermissions') && { IS_SANDBOX: '1' }),
    ...(text.includes('"sandbox"') && { PATH: [standIns, ...programFolders].join(delimiter) }),
  }
}

const standIns = fileURLToPath(new URL('programs', import.meta.url))

/** The folder of managed settings is fixed, and the real one of the machine must not change. */
function withManaged(place: Place): Place {
  const managed = join(place.root, 'managed')
  if (!existsSync(managed)) return place
  const kept = [
    'ssl',
    'hosts',
    'passwd',
    'group',
    'nsswitch.conf',
    'resolv.conf',
    'ld.so.cache',
    'alternatives',
  ]
  const bound = kept.map((name) => `/etc/${name}`).filter((path) => existsSync(path))
  const wrap = [
    ['--dev-bind', '/', '/', '--tmpfs', '/etc'],
    bound.flatMap((path) => ['--ro-bind', path, path]),
    ['--ro-bind', managed, '/etc/claude-code'],
  ].flat()
  return { ...place, start: (program, args, env) => place.start('bwrap', [...wrap, program, ...args], env) }
}

/** The denials that the client reports at the end. */
function refusedIn({ events }: ClientRun): Set<string> {
  const result = events.find(({ type }) => type === 'result')
  const denials = Array.isArray(result?.permission_denials) ? result.permission_denials : []
  return new Set(denials.filter(isJsonObject).map((denial) => denial.tool_use_id as string))
}

export function outcomeOf({ text, isError }: Seen, isRefused: boolean): Outcome {
  if (!isError) return 'allow'
  if (isMissing.test(text)) return 'no such tool'
  // Invalid input is never executed.
  if (isDenial.test(text) || text.includes('InputValidationError')) return 'deny'
  // An allowed call may still fail.
  return isRefused ? 'ask' : 'allow'
}

/** Tools, agents and skills that do not exist for the caller. */
const isMissing =
  /No such tool available|^(<tool_use_error>)?(Agent type '.*' not found|Unknown skill: |Skill .+ (is disabled|cannot be used))/

/** All other denials would have been prompts in an interactive session. */
const isDenial =
  /^Refusing to|has been denied|is denied|denied by|denied access|blocked by permission rules|covered by a Read deny rule|blocked by a deny rule|while in plan mode|refused by a hook/

function tracesOf({ tool, leaves }: Probe, isCalled: boolean, project: string): boolean[] {
  return [
    ...(tool.startsWith('mcp__') ? [isCalled] : []),
    ...(leaves === undefined ? [] : [existsSync(join(project, leaves))]),
  ]
}
