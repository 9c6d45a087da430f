/** Plays a scene with the real OpenCode. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { makePlace, type ClientRun, type Place, type Seen } from '../client-run.ts'
import { runStrictOpencode, startTask } from '../opencode.ts'
import type { Played } from '../permissions/compare.ts'
import { byName } from '../permissions/outcomes.ts'
import type { Outcome } from '../permissions/scene.ts'
import type { Scripts, Turn } from '../scripted-model.ts'
import { explained, setUp } from './outcomes.ts'
import type { Probe, Scene } from './scene.ts'

/** Scenes that differ in nothing but which subagent makes the probes. */
export function inOneRun(scenes: readonly Scene[]): Scene[][] {
  const runs = new Map<unknown, Map<string, Scene[]>>()
  for (const scene of scenes) {
    const { files, env, runAs } = scene
    const key = JSON.stringify([env, runAs])
    const sameFiles = runs.get(files) ?? new Map<string, Scene[]>()
    runs.set(files, sameFiles.set(key, [...(sameFiles.get(key) ?? []), scene]))
  }
  return [...runs.values()].flatMap((sameFiles) => Array.from(sameFiles.values()))
}

export async function play(scenes: readonly Scene[]): Promise<Played[]> {
  const place = makePlace()
  const filled = scenes.map((scene) => setUp(scene, place))
  // Before the client writes to its files.
  const said = filled.map((scene) => explained(scene, place))
  const [{ env, runAs }] = filled as [Scene]
  const run = await runStrictOpencode(
    place,
    scriptsOf(filled),
    runAs === undefined ? [] : ['--agent', runAs],
    { ...env, OPENCODE_TEST_MANAGED_CONFIG_DIR: join(place.root, 'managed') },
  )
  const called = linesOf(join(place.root, 'calls.txt'))
  return filled.map((scene, number) => {
    // Who was offered no tool at all follows no script either.
    const hasTools = run.requests.some(({ script }) => script === scriptOf(scene, number))
    const did = scene.probes.map((probe, at): Outcome => {
      if (!hasTools) return 'no such tool'
      const text = probe.times === undefined ? undefined : endedBy(run)
      const outcome = outcomeOf(text ?? seenBy(run, lastId(probe, number, at), scene).text)
      checkTraces({ scene, probe, outcome, called, place })
      return outcome
    })
    const given = scenes[number]!
    return { scene: given.name, client: byName(given, did), explain: byName(given, said[number]!) }
  })
}

const probeId = (scene: number, at: number, time: number): string => `toolu_probe_${scene}_${at}_${time}`
const lastId = ({ times = 1 }: Probe, scene: number, at: number): string => probeId(scene, at, times - 1)

const scriptOf = ({ agent }: Scene, number: number): string =>
  agent === undefined ? 'main' : `agent-${number}`

/** The main conversation makes its own probes, then starts one agent after the other. */
function scriptsOf(scenes: readonly Scene[]): Scripts {
  const turns = scenes.map((scene, number) => turnsOf(scene, number))
  const main = scenes.flatMap((scene, number): Turn[] =>
    scene.agent === undefined
      ? turns[number]!
      : [[startTask(`toolu_agent_${number}`, scene.agent, scriptOf(scene, number))]],
  )
  const agents = scenes.map((scene, number) => [scriptOf(scene, number), [...turns[number]!, 'done']])
  return { ...Object.fromEntries(agents), main: [...main, 'done'] }
}

/** Many calls at once, as each turn takes its time; what goes round in circles needs a turn of its own. */
function turnsOf({ probes }: Scene, number: number): Turn[] {
  const uses = probes.map(({ tool, input, times = 1 }, at) =>
    Array.from({ length: times }, (_, time) => ({ id: probeId(number, at, time), tool, input })),
  )
  const single = uses.filter((one) => one.length === 1).flat()
  const together = Array.from({ length: Math.ceil(single.length / mostAtOnce) }, (_, at) =>
    single.slice(at * mostAtOnce, (at + 1) * mostAtOnce),
  )
  return [...together, ...uses.filter((one) => one.length > 1)]
}

const mostAtOnce = 20

function seenBy(run: ClientRun, id: string, scene: Scene): Seen {
  try {
    return run.saw(id)
  } catch (error) {
    throw new Error(`${scene.name}: ${String(error)} ${run.stdout.slice(-2000)}`, { cause: error })
  }
}

/** A circle that the client does not let go on ends the conversation, and the model gets no answer. */
function endedBy({ events }: ClientRun): string | undefined {
  const error = events.find(({ type }) => type === 'error')
  return error === undefined ? undefined : JSON.stringify(error)
}

export function outcomeOf(text: string): Outcome {
  if (/unavailable tool|^(?:Error: )?Unknown agent type/.test(text)) return 'no such tool'
  if (/a rule which prevents|Subagent depth limit/.test(text)) return 'deny'
  // Nobody is there to be asked, and so the client refuses.
  return text.includes('rejected permission') ? 'ask' : 'allow'
}

/** Words are not enough: what was let through leaves traces, and nothing else does. */
function checkTraces(trace: {
  readonly scene: Scene
  readonly probe: Probe
  readonly outcome: Outcome
  readonly called: ReadonlySet<string>
  readonly place: Place
}): void {
  const { scene, probe, outcome, called, place } = trace
  const traces = [
    ...(probe.tool.startsWith('probe_') ? [called.has(probe.tool.slice('probe_'.length))] : []),
    ...(probe.leaves === undefined ? [] : [existsSync(join(place.root, probe.leaves))]),
  ]
  for (const isThere of traces) {
    if (isThere !== (outcome === 'allow'))
      throw new Error(`${scene.name}: ${probe.asked} looks like "${outcome}", but its traces say otherwise`)
  }
}

function linesOf(file: string): Set<string> {
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
}
