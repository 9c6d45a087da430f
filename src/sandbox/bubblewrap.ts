/** The Linux driver: bubblewrap with our own seccomp program. */

import { statSync } from 'node:fs'

import { ContextdError } from '../core/errors/errors.ts'
import { bwrapOptions, bridgePlaces, servicePlace, type SystemView } from './bwrap-line.ts'
import { firstFeed, createCell, type CellParts } from './cell.ts'
import { findCgroups, sweepCgroups, type Cgroups } from './cgroup/cgroup.ts'
import type { GroupLimits } from './cgroup/group.ts'
import { gateScript } from './gate.ts'
import { guardedPlaces, kindForOptions } from './guarded-places.ts'
import { killInside } from './kill-inside.ts'
import { createPipes, type Pipes } from './pipes.ts'
import { findBubblewrap, tryToEscape } from './probe.ts'
import { refuseMissingFolder, runInCell } from './run-cell.ts'
import { closeInheritedFiles } from './inherited-files.ts'
import type { Confinement, Ended, RunOptions, SandboxLimits, Sandbox } from './sandbox.ts'
import { compileProfile } from './seccomp/compile.ts'
import { profile, type ProfileOptions } from './seccomp/profile.ts'
import { viewSystem } from './system-view.ts'
import { startInCell, withoutEnd } from './start-cell.ts'
import { createWarmCells, type WarmCells } from './warm-cells.ts'

export interface BubblewrapOptions {
  /** Private to this user; contains files that replace the machine's own inside the sandbox. */
  readonly folder: string
  /** Paths where bubblewrap may be installed. */
  readonly places?: readonly string[]
}

/** Proves that the sandbox works by trying to escape from it. If that succeeds, the sandbox it returns refuses to run anything. */
export async function openBubblewrap({ folder, places }: BubblewrapOptions): Promise<Sandbox> {
  const found = findBubblewrap(places)
  if ('cause' in found) return closed(found.cause, found.fix)
  const asRoot = process.getuid?.() === 0
  let host: Host
  try {
    host = prepareHost(folder)
  } catch (error) {
    return closed(String(error), `check that ${folder} is yours and can be written`)
  }
  const { cgroups, pipes } = host
  if (asRoot && cgroups === undefined) {
    // The kernel exempts root from the limit on processes.
    return closed(
      'contextd runs as root and no cgroup for memory and processes can be written',
      'run contextd as an ordinary user, or give it a writable cgroup',
    )
  }
  const cells = createCells(found, host)
  const close = async (): Promise<void> => {
    await cells.warm.close()
    pipes.close()
  }
  const run: Sandbox['run'] = async (command, confinement, options = {}) =>
    runCommand(cells, command, confinement, options)
  const escaped = await tryToEscape(run)
  if (escaped !== undefined) {
    await close()
    return closed(escaped.cause, escaped.fix)
  }
  return {
    state: async () => ({
      available: true,
      driver: 'bubblewrap',
      version: found.version,
      asRoot,
      memory: cgroups === undefined ? 'watchdog' : 'cgroup',
    }),
    run,
    start: async (command, confinement) => startProgram(cells, command, confinement),
    close,
  }
}

/** The parts of this machine that every sandbox uses. */
interface Host {
  readonly system: SystemView
  readonly pipes: Pipes
  readonly cgroups: Cgroups | undefined
}

function prepareHost(folder: string): Host {
  // Descriptors inherited from our parent would be open in the sandbox too.
  closeInheritedFiles()
  const system = viewSystem(folder)
  const pipes = createPipes(folder)
  const cgroups = findCgroups()
  sweepCgroups()
  return { system, pipes, cgroups }
}

interface Cells {
  readonly warm: WarmCells<Plan>
  planFor(confinement: Confinement): Plan
}

function createCells(found: { bwrap: string; bash: string }, { system, pipes, cgroups }: Host): Cells {
  const memoryByProcess = cgroups === undefined
  return {
    warm: createWarmCells(({ confinement, line: built }: Plan) =>
      createCell({
        ...cellLine(found, built),
        pipes,
        cgroup: cgroups?.open(withOwn(confinement.limits)),
        kill: killInside,
      }),
    ),
    planFor(confinement) {
      const built = line(confinement, system, memoryByProcess)
      return { confinement, line: built, key: keyOf(confinement, built) }
    },
  }
}

async function runCommand(
  { warm, planFor }: Cells,
  command: Parameters<Sandbox['run']>[0],
  requested: Confinement,
  options: RunOptions,
): Promise<Ended> {
  const confinement = { ...requested, guarded: guardedPlaces(requested) }
  const cell = warm.take(planFor(confinement))
  let ended: Ended
  try {
    ended = await runInCell(cell, command, confinement, options)
  } finally {
    cell.kill()
  }
  // If the deadline passed while the sandbox was being built, the result already says so.
  if (cell.progress() === 'made' && ended.limit === undefined) throw notBuilt(ended.stderr)
  refuseMissingFolder(cell)
  if (confinement.network === undefined && confinement.folders.length > 0)
    warm.prepare(() => planFor(confinement))
  return ended
}

async function startProgram(
  { warm, planFor }: Cells,
  command: Parameters<Sandbox['start']>[0],
  requested: Confinement,
): ReturnType<Sandbox['start']> {
  const confinement = withoutEnd({ ...requested, guarded: guardedPlaces(requested) })
  refuseUnguarded(confinement)
  const cell = warm.take(planFor(confinement))
  const stderr: Buffer[] = []
  const collect = (chunk: Buffer): void => void stderr.push(chunk)
  cell.stderr.on('data', collect)
  const started = await startInCell(cell, command, confinement.limits)
  cell.stderr.off('data', collect)
  if (cell.progress() === 'made') throw notBuilt(Buffer.concat(stderr))
  return started
}

/** Adds bubblewrap, the bash that waits at the gate and the proxy that refuses hosts. */
function withOwn({ memoryBytes, processes }: SandboxLimits): GroupLimits {
  return { memoryBytes, processes: processes + 4 }
}

function closed(cause: string, fix: string): Sandbox {
  return {
    state: async () => ({ available: false, cause, fix }),
    run: () => Promise.reject(unavailable(cause, fix)),
    start: () => Promise.reject(unavailable(cause, fix)),
    close: async () => {},
  }
}

function unavailable(cause: string, hint?: string): ContextdError {
  return new ContextdError('SANDBOX_UNAVAILABLE', { cause, hint })
}

function notBuilt(complaint: Buffer): ContextdError {
  return unavailable(`the sandbox could not be built: ${firstLine(complaint)}`)
}

/** Existing paths are mounted over; missing ones could only be watched. */
function refuseUnguarded({ guarded }: Confinement): void {
  if (guarded.every((path) => ['file', 'folder'].includes(kindForOptions(path)))) return
  throw unavailable(
    'a long-running program could create files that determine what other programs run',
    'Only let it write to its own folders, as with `fs:write:output/**`.',
  )
}

/** Options are passed by file descriptor: every user of the machine, and the sandbox, can read a command line. */
function cellLine(
  { bwrap, bash }: { bwrap: string; bash: string },
  { options, gate, seccomp }: Line,
): Pick<CellParts, 'program' | 'args' | 'env' | 'feeds'> {
  const optionsWithFilter = [...options, '--seccomp', String(firstFeed + 1)]
  return {
    program: bwrap,
    // A bash whose stdin is a socket assumes a remote login and would read the startup file.
    args: ['--args', String(firstFeed), '--', bash, '--norc', '-c', gate],
    // The sandbox can read this environment, even if bubblewrap clears it later.
    env: {},
    feeds: [`${optionsWithFilter.join('\0')}\0`, seccomp],
  }
}

export interface Line {
  readonly options: readonly string[]
  readonly gate: string
  readonly seccomp: Uint8Array
}

/** The input of one sandbox. */
interface Plan {
  readonly confinement: Confinement
  readonly line: Line
  readonly key: string
}

/** The bubblewrap options, the gate script and the seccomp filter. */
export function line(confinement: Confinement, system: SystemView, memoryByProcess: boolean): Line {
  const unixSockets = confinement.network !== undefined
  return {
    options: bwrapOptions(confinement, { system, kindOf: kindForOptions }),
    gate: gateScript(confinement.limits, {
      memoryByProcess,
      ...(unixSockets && { bridge: { ...bridgePlaces, services: servicesOf(confinement) } }),
      ...(confinement.refusesHosts === true && { refusal: bridgePlaces }),
    }),
    seccomp: seccompFor({ unixSockets, unseenMemory: !memoryByProcess }),
  }
}

function servicesOf({ services = [] }: Confinement): string[] {
  return services.map((service) => [servicePlace(service), service.host, service.port].join(','))
}

const compiled = new Map<string, Uint8Array>()

function seccompFor(options: ProfileOptions): Uint8Array {
  const { arch } = process
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`no seccomp program for ${arch}`)
  const key = JSON.stringify(options)
  const known = compiled.get(key) ?? compileProfile(profile(options), arch)
  compiled.set(key, known)
  return known
}

/** Sandboxes with the same key are interchangeable. A replaced file changes the key. */
function keyOf(confinement: Confinement, { options, gate }: Line): string {
  const identity = (path: string, time: 'birthtimeNs' | 'ctimeNs'): string => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return `${found?.ino} ${found?.[time]}`
  }
  // Inode numbers are reused, so a time is part of the identity: the creation time of working folders, and the time of
  // the last change of guarded paths.
  const files = [
    ...confinement.folders.map(({ path }) => identity(path, 'birthtimeNs')),
    ...(confinement.caches ?? []).map(({ source }) => identity(source, 'birthtimeNs')),
    ...[...confinement.guarded, ...confinement.hidden].map((path) => identity(path, 'ctimeNs')),
  ]
  return JSON.stringify([options, gate, files])
}

function firstLine(text: Buffer): string {
  return text.toString().trim().split('\n')[0] ?? ''
}
