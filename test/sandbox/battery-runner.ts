/**
 * Runs every attack and its twin as the user it is started as, and writes down what came of each. A program of its
 * own, because the battery is run as several users, with an environment and descriptors that attacks must not find.
 */

import { spawn } from 'node:child_process'
import { linkSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import type { Confinement, Ended, SandboxLimits, Sandbox } from '../../src/sandbox/sandbox.ts'
import { type Attack, bashPrelude, type Twin } from './attack.ts'
import { attacks } from './attacks.ts'
import type { BatteryReport, Outcome } from './battery-report.ts'
import { confinedTo, roomyLimits } from './confined-to.ts'
import { guardedNames, hiddenNames, type Layout, makeLayout, removeLayout } from './layout.ts'
import { ordinaryWork } from './ordinary-work.ts'
import { openScene, type Scene } from './scene.ts'

/** Many attacks one after the other, on a machine that may be busy. */
const generous: SandboxLimits = {
  ...roomyLimits,
  timeMs: 120_000,
  cpuSeconds: 60,
  processes: 64,
  outputBytes: 4 << 20,
}

/** How many attacks run at the same time, each in folders of its own. */
const lanes = 4

const folder = realpathSync(process.argv[2]!)
const scripts = join(folder, 'scripts')
const programs = join(folder, 'programs')
const state = join(folder, 'state')

const canShare = (attack: Attack): boolean => attack.alone === undefined

/** What a way to granted hosts could open. */
const concernsNetwork = (attack: Attack): boolean =>
  canShare(attack) && ['network', 'processes', 'privileges'].includes(attack.topic)

const notRun: Outcome = { verdict: 'none', log: 'not run' }

const scriptOf = (attack: Attack): string => join(scripts, `${attacks.indexOf(attack)}.sh`)

async function main(): Promise<void> {
  mkdirSync(scripts)
  for (const attack of attacks) writeFileSync(scriptOf(attack), `${bashPrelude}${attack.script}\n`)
  const scene = await openScene(folder)
  // Also where something that nobody awaits fails.
  process.once('exit', () => scene.close())
  // First, because the sandbox closes what the launcher had open.
  const twins = await inLanes(attacks, 'twin', (attack, place) => runTwin(attack, place, scene))
  const sandbox = await openBubblewrap({ folder: state })
  const found = await sandbox.state()
  const inside = found.available ? await runInside(sandbox, scene) : new Map<Attack, Outcome>()
  const network = found.available
    ? await runTogether(sandbox, scene, scene.socket)
    : new Map<Attack, Outcome>()
  const work = found.available ? await workOrdinarily(sandbox, scene) : []
  await sandbox.close()
  const report: BatteryReport = {
    state: found,
    ordinaryWork: work,
    outcomes: attacks.map((attack) => ({
      name: attack.name,
      inside: inside.get(attack) ?? notRun,
      withNetwork: concernsNetwork(attack) ? (network.get(attack) ?? notRun) : undefined,
      twin: twins.get(attack)!,
    })),
  }
  writeFileSync(join(folder, 'report.json'), JSON.stringify(report))
}

/** Works the attacks off, several at a time, each lane with a folder that is made anew for every attack. */
async function inLanes(
  list: readonly Attack[],
  name: string,
  work: (attack: Attack, place: string) => Promise<Outcome>,
): Promise<Map<Attack, Outcome>> {
  const outcomes = new Map<Attack, Outcome>()
  const queue = [...list]
  const lane = async (index: number): Promise<void> => {
    const place = join(folder, `${name}-${index}`)
    for (let attack = queue.shift(); attack !== undefined; attack = queue.shift()) {
      outcomes.set(attack, await work(attack, place))
    }
    removeLayout(place)
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
  return outcomes
}

async function runTwin(attack: Attack, place: string, scene: Scene): Promise<Outcome> {
  const { twin } = attack
  if (twin.onlyRoot !== undefined && process.getuid?.() !== 0) return { verdict: 'none', log: twin.onlyRoot }
  const layout = prepare(place, scene, attack.before)
  const env = {
    ...process.env,
    ...environment(layout, scene, attack.script),
    TWIN: '1',
    ...twin.env?.(layout),
  }
  const log = await runPlain(twinLine(twin, layout, scriptOf(attack)), env)
  return judge(attack, layout, log)
}

function twinLine(twin: Twin, layout: Layout, script: string): [string, ...string[]] {
  if (twin.where === 'bare') return ['bash', script]
  const namespaces = [
    '--unshare-user',
    '--unshare-uts',
    '--unshare-ipc',
    '--unshare-net',
    '--unshare-cgroup-try',
  ]
  const options = [
    '--dev-bind',
    '/',
    '/',
    '--uid',
    '0',
    '--gid',
    '0',
    '--cap-add',
    'ALL',
    '--die-with-parent',
  ]
  return ['bwrap', ...namespaces, ...options, ...(twin.options?.(layout) ?? []), '--', 'bash', script]
}

function runPlain([program, ...args]: [string, ...string[]], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], timeout: 50_000 })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

async function runInside(sandbox: Sandbox, scene: Scene): Promise<Map<Attack, Outcome>> {
  const alone = attacks.filter((attack) => !canShare(attack))
  return new Map([
    ...(await runTogether(sandbox, scene)),
    ...(await inLanes(alone, 'inside', (attack, place) => runAlone(sandbox, attack, place, scene))),
  ])
}

/** One sandbox for all that can share it; what each says stands between lines that name it. */
async function runTogether(sandbox: Sandbox, scene: Scene, network?: string): Promise<Map<Attack, Outcome>> {
  const list = attacks.filter((attack) =>
    network === undefined ? canShare(attack) : concernsNetwork(attack),
  )
  const layout = prepare(join(folder, 'together'), scene)
  const base = environment(layout, scene, list.map(({ script }) => script).join('\n'))
  const run = list
    .map((attack, index) => {
      const own = Object.entries(attack.env?.(layout) ?? {}).map(([name, value]) => `${name}='${value}'`)
      return `echo; echo '@@${index}'; env ${own.join(' ')} timeout 20 bash ${scriptOf(attack)} </dev/null 2>&1`
    })
    .join('\n')
  const confined = { ...confinement(layout), ...(network !== undefined && { network }) }
  const ended = await sandbox.run({ run, cwd: layout.workspace, env: base }, confined)
  const parts = new Map(
    textOf(ended)
      .split(/^@@/m)
      .slice(1)
      .map((part) => [Number(part.split('\n')[0]), part]),
  )
  const outcomes = list.map(
    (attack, index) => [attack, judge(attack, layout, parts.get(index) ?? textOf(ended))] as const,
  )
  removeLayout(layout.folder)
  return new Map(outcomes)
}

async function runAlone(sandbox: Sandbox, attack: Attack, place: string, scene: Scene): Promise<Outcome> {
  const layout = prepare(place, scene, attack.before)
  const env = { ...environment(layout, scene, attack.script), ...attack.env?.(layout) }
  const command = { run: `exec bash ${scriptOf(attack)}`, cwd: layout.workspace, env }
  const ended = await sandbox.run(command, confinement(layout, attack.alone))
  const outcome = judge(attack, layout, textOf(ended))
  const log = `${outcome.log}\nexit code ${ended.exitCode}, limit ${ended.limit ?? 'none'}, ${Math.round(ended.durationMs)} ms`
  // What the sandbox or a limit of the kernel ended did not succeed.
  const wasEnded = ended.limit !== undefined || ended.exitCode !== 0
  return { verdict: outcome.verdict === 'none' && wasEnded ? 'contained' : outcome.verdict, log }
}

/** The names of what could be done. */
async function workOrdinarily(sandbox: Sandbox, scene: Scene): Promise<string[]> {
  const layout = prepare(join(folder, 'ordinary'), scene)
  const tasks = Object.entries(ordinaryWork).map(
    ([name, commands]) => `if (\n${commands}\n) >/dev/null; then echo '@@${name}'; fi`,
  )
  const command = {
    run: `${bashPrelude}${tasks.join('\n')}`,
    cwd: layout.workspace,
    env: environment(layout, scene, ''),
  }
  const ended = await sandbox.run(command, confinement(layout))
  removeLayout(layout.folder)
  return [...textOf(ended).matchAll(/^@@(.+)$/gm)].map(([, name]) => name!)
}

function textOf({ stdout, stderr }: Ended): string {
  return `${stdout.toString()}${stderr.toString()}`
}

function prepare(place: string, scene: Scene, before?: Attack['before']): Layout {
  const layout = makeLayout(place)
  linkSync(scene.socket, join(layout.workspace, 'host.sock'))
  before?.(layout)
  return layout
}

function environment(
  { workspace, outside, shared }: Layout,
  scene: Scene,
  script: string,
): Record<string, string> {
  return {
    ...scene.env,
    ...(/\$(MORTAL|FIRST)\b/.test(script) && scene.mortals()),
    WS: workspace,
    OUTSIDE: outside,
    SHARED: shared,
    WORKSPACE_SOCKET: join(workspace, 'host.sock'),
    OTHER_USERS_ID: join(programs, 'other-users-id'),
  }
}

function confinement({ workspace, shared }: Layout, limits: Partial<SandboxLimits> = {}): Confinement {
  const readable = [shared, scripts, programs].map((path) => ({ path, access: 'read' as const }))
  return confinedTo(workspace, {
    folders: [{ path: workspace, access: 'write' }, ...readable],
    hidden: hiddenNames.map((name) => join(workspace, name)),
    guarded: guardedNames.map((name) => join(workspace, name)),
    limits: { ...generous, ...limits },
  })
}

function judge(attack: Attack, layout: Layout, text: string): Outcome {
  const log = text.slice(-2000)
  if (attack.after?.(layout) === true) return { verdict: 'escaped', log: `${log}\nfound from outside` }
  const word = log.match(/^(ESCAPED|CONTAINED|ABSENT)$/gm)?.at(-1)
  const verdict = word === undefined ? 'none' : (word.toLowerCase() as Outcome['verdict'])
  return { verdict, log }
}

await main()
process.exit(0)
