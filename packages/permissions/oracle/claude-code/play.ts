/** Plays a scene with the real client. */

import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

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
  // Before the client writes to its files.
  const said = filled.map((scene) => explained(scene, place))
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
    return { scene: given.name, client: byName(given, did), explain: byName(given, said[number]!) }
  })
}

const probeId = (scene: number, at: number): string => `toolu_probe_${scene}_${at}`
const agentId = (scene: number): string => `toolu_agent_${scene}`

const scriptOf = ({ agent }: Scene, number: number): string =>
  agent === undefined ? 'main' : `agent-${number}`

const isStarted = (run: ClientRun, { agent }: Scene, number: number): boolean =>
  agent === undefined || !run.saw(agentId(number)).isError

/** Who was offered no tool at all follows no script either. */
function isToolless({ requests }: ClientRun, script: string): boolean {
  return requests.some(
    ({ body: { tools, messages } }) =>
      (!Array.isArray(tools) || tools.length === 0) && JSON.stringify(messages).includes(follow(script)),
  )
}

/** The main conversation makes its own probes, then starts one agent after the other. */
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

/** A shell remembers the path by which it came to a folder, and programs may go by that. */
function startingIn({ startedIn }: Scene, place: Place): Place {
  if (startedIn === undefined) return place
  const go = ['-c', 'cd "$0" && exec "$@"', join(place.root, startedIn)]
  return { ...place, start: (program, args, env) => place.start('sh', [...go, program, ...args], env) }
}

/**
 * The client refuses to bypass permissions as root unless it believes to be in a sandbox; and without socat it has no
 * sandbox of its own.
 */
function environmentOf(scene: Scene): NodeJS.ProcessEnv {
  const text = JSON.stringify(scene)
  return {
    ...(text.includes('bypassPermissions') && { IS_SANDBOX: '1' }),
    ...(text.includes('"sandbox"') && { PATH: [standIns, ...programFolders].join(delimiter) }),
  }
}

const standIns = resolve('test', 'clients', 'permissions', 'programs')

/** The administrator's folder has a fixed place, and the machine's own must stay as it is. */
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

/** What the client says at the end it did not permit. */
function refusedIn({ events }: ClientRun): Set<string> {
  const result = events.find(({ type }) => type === 'result')
  const denials = Array.isArray(result?.permission_denials) ? result.permission_denials : []
  return new Set(denials.filter(isJsonObject).map((denial) => denial.tool_use_id as string))
}

export function outcomeOf({ text, isError }: Seen, isRefused: boolean): Outcome {
  if (!isError) return 'allow'
  if (isMissing.test(text)) return 'no such tool'
  // What the client takes for no input at all runs for nobody.
  if (isDenial.test(text) || text.includes('InputValidationError')) return 'deny'
  // A call that was let through may fail all the same.
  return isRefused ? 'ask' : 'allow'
}

/** Tools, agents and skills that are not there for who calls. */
const isMissing =
  /No such tool available|^(<tool_use_error>)?(Agent type '.*' not found|Unknown skill: |Skill .+ (is disabled|cannot be used))/

/** Everything else that was refused would have been asked about, had there been somebody to ask. */
const isDenial =
  /^Refusing to|has been denied|is denied|denied by|denied access|blocked by permission rules|covered by a Read deny rule|blocked by a deny rule|while in plan mode|refused by a hook/

function tracesOf({ tool, leaves }: Probe, isCalled: boolean, project: string): boolean[] {
  return [
    ...(tool.startsWith('mcp__') ? [isCalled] : []),
    ...(leaves === undefined ? [] : [existsSync(join(project, leaves))]),
  ]
}
