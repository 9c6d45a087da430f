/** Plays a scene with the real OpenCode. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { makePlace, type ClientRun } from '../../../../test/clients/client-run.ts'
import { runStrictOpencode, startTask } from '../../../../test/clients/opencode.ts'
import type { Played } from '../claude-code/compare.ts'
import { byName } from '../claude-code/outcomes.ts'
import { checkTraces, linesOf, seenBy } from '../claude-code/probed-run.ts'
import type { Outcome } from '../claude-code/scene.ts'
import type { Scripts, Turn } from '../../../../test/clients/scripted-model.ts'
import { explained, setUp } from './outcomes.ts'
import type { Probe, Scene } from './scene.ts'

export async function play(scenes: readonly Scene[]): Promise<Played[]> {
  const place = makePlace()
  const filled = scenes.map((scene) => setUp(scene, place))
  // Computed before the client changes its files.
  const predicted = filled.map((scene) => explained(scene, place))
  const [{ env, runAs }] = filled as [Scene]
  const run = await runStrictOpencode(
    place,
    scriptsOf(filled),
    runAs === undefined ? [] : ['--agent', runAs],
    { ...env, OPENCODE_TEST_MANAGED_CONFIG_DIR: join(place.root, 'managed') },
  )
  const called = linesOf(join(place.root, 'calls.txt'))
  return filled.map((scene, number) => {
    // An agent without any tools cannot follow the script.
    const hasTools = run.requests.some(({ script }) => script === scriptOf(scene, number))
    const did = scene.probes.map((probe, at): Outcome => {
      if (!hasTools) return 'no such tool'
      const text = probe.times === undefined ? undefined : endedBy(run)
      const outcome = outcomeOf(text ?? seenBy(run, lastId(probe, number, at), scene).text)
      checkTraces(`${scene.name}: ${probe.asked}`, outcome, tracesOf(probe, called, place.root))
      return outcome
    })
    const given = scenes[number]!
    return { scene: given.name, client: byName(given, did), explain: byName(given, predicted[number]!) }
  })
}

const probeId = (scene: number, at: number, time: number): string => `toolu_probe_${scene}_${at}_${time}`
const lastId = ({ times = 1 }: Probe, scene: number, at: number): string => probeId(scene, at, times - 1)

const scriptOf = ({ agent }: Scene, number: number): string =>
  agent === undefined ? 'main' : `agent-${number}`

/** The main conversation runs its probes, then starts the agents in sequence. */
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

/** Batches calls, as each turn is slow; repeated calls need a separate turn. */
function turnsOf({ probes }: Scene, number: number): Turn[] {
  const uses = probes.map(({ tool, input, times = 1 }, at) =>
    Array.from({ length: times }, (_, time) => ({ id: probeId(number, at, time), tool, input })),
  )
  const single = uses.filter((one) => one.length === 1).flat()
  const together = Array.from({ length: Math.ceil(single.length / maxConcurrent) }, (_, at) =>
    single.slice(at * maxConcurrent, (at + 1) * maxConcurrent),
  )
  return [...together, ...uses.filter((one) => one.length > 1)]
}

const maxConcurrent = 20

/** When the client stops repeated calls, the conversation ends without an answer to the model. */
function endedBy({ events }: ClientRun): string | undefined {
  const error = events.find(({ type }) => type === 'error')
  return error === undefined ? undefined : JSON.stringify(error)
}

export function outcomeOf(text: string): Outcome {
  if (/unavailable tool|^(?:Error: )?Unknown agent type/.test(text)) return 'no such tool'
  if (/a rule which prevents|Subagent depth limit/.test(text)) return 'deny'
  // In a non-interactive session the client denies instead of asking.
  return text.includes('rejected permission') ? 'ask' : 'allow'
}

function tracesOf({ tool, leaves }: Probe, called: ReadonlySet<string>, root: string): boolean[] {
  return [
    ...(tool.startsWith('probe_') ? [called.has(tool.slice('probe_'.length))] : []),
    ...(leaves === undefined ? [] : [existsSync(join(root, leaves))]),
  ]
}
