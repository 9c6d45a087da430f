/** The Linux driver: bubblewrap with our own seccomp program. */

import { statSync } from 'node:fs'

import { ContextdError } from '../core/errors/errors.ts'
import { bwrapOptions, bridgePlaces, type SystemView } from './bwrap-line.ts'
import { firstFeed, makeCell, type CellParts } from './cell.ts'
import { findCgroups, sweepCgroups, type Cgroups } from './cgroup/cgroup.ts'
import type { GroupLimits } from './cgroup/group.ts'
import { gateScript } from './gate.ts'
import { heldPlaces, kindForLine } from './guarded-places.ts'
import { killInside } from './kill-inside.ts'
import { createPipes, type Pipes } from './pipes.ts'
import { findBubblewrap, tryToGetOut } from './probe.ts'
import { refuseMissingFolder, runInCell } from './run-cell.ts'
import { closeInheritedFiles } from './inherited-files.ts'
import type { Confinement, Ended, SandboxLimits, Sandbox } from './sandbox.ts'
import { compileProfile } from './seccomp/compile.ts'
import { profile, type ProfileOptions } from './seccomp/profile.ts'
import { viewSystem } from './system-view.ts'
import { startInCell, withoutEnd } from './start-cell.ts'
import { createWarmCells } from './warm-cells.ts'

export interface BubblewrapOptions {
  /** Private to this user; holds what the inside gets in place of the machine's own files. */
  readonly folder: string
  /** Where bubblewrap may be. */
  readonly places?: readonly string[]
}

/** Finds out whether it holds, by running the real line and trying to get out of it. Where not, nothing runs in what it answers. */
export async function openBubblewrap({ folder, places }: BubblewrapOptions): Promise<Sandbox> {
  const found = findBubblewrap(places)
  if ('cause' in found) return closed(found.cause, found.fix)
  const asRoot = process.getuid?.() === 0
  let system: SystemView
  let cgroups: Cgroups | undefined
  let pipes: Pipes
  try {
    // What whoever started us left open would be open inside too.
    closeInheritedFiles()
    system = viewSystem(folder)
    pipes = createPipes(folder)
    cgroups = findCgroups()
    sweepCgroups()
  } catch (error) {
    return closed(String(error), `check that ${folder} is yours and can be written`)
  }
  if (asRoot && cgroups === undefined) {
    // The kernel exempts root from the limit on processes.
    return closed(
      'contextd runs as root and no cgroup for memory and processes can be written',
      'run contextd as an ordinary user, or give it a writable cgroup',
    )
  }

  const memoryByProcess = cgroups === undefined
  const warm = createWarmCells(({ confinement, line: built }: Plan) =>
    makeCell({
      ...cellLine(found, built),
      pipes,
      cgroup: cgroups?.open(withOwn(confinement.limits)),
      kill: killInside,
    }),
  )
  const planFor = (confinement: Confinement): Plan => {
    const built = line(confinement, system, memoryByProcess)
    return { confinement, line: built, key: keyOf(confinement, built) }
  }

  const run: Sandbox['run'] = async (command, asked, runOptions = {}) => {
    const confinement = { ...asked, guarded: heldPlaces(asked) }
    const cell = warm.take(planFor(confinement))
    let ended: Ended
    try {
      ended = await runInCell(cell, command, confinement, runOptions)
    } finally {
      cell.kill()
    }
    // Where its time was too short even for that, the answer says so.
    if (cell.progress() === 'made' && ended.limit === undefined) throw notBuilt(ended.stderr)
    refuseMissingFolder(cell)
    if (confinement.network === undefined && confinement.folders.length > 0)
      warm.prepare(() => planFor(confinement))
    return ended
  }
  const start: Sandbox['start'] = async (command, asked) => {
    const confinement = withoutEnd({ ...asked, guarded: heldPlaces(asked) })
    refuseUnguarded(confinement)
    const cell = warm.take(planFor(confinement))
    const complaints: Buffer[] = []
    const note = (chunk: Buffer): void => void complaints.push(chunk)
    cell.stderr.on('data', note)
    const started = await startInCell(cell, command, confinement.limits)
    cell.stderr.off('data', note)
    if (cell.progress() === 'made') throw notBuilt(Buffer.concat(complaints))
    return started
  }
  const escaped = await tryToGetOut(run)
  if (escaped !== undefined) {
    await warm.close()
    pipes.close()
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
    start,
    async close() {
      await warm.close()
      pipes.close()
    },
  }
}

/** bubblewrap itself and the bash that waits at the gate count too. */
function withOwn({ memoryBytes, processes }: SandboxLimits): GroupLimits {
  return { memoryBytes, processes: processes + 3 }
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

/** What is there is mounted over; what is not could only be watched. */
function refuseUnguarded({ guarded }: Confinement): void {
  if (guarded.every((path) => ['file', 'folder'].includes(kindForLine(path)))) return
  throw unavailable(
    'a program that runs on could make files that decide what other programs run',
    'Let it write to folders of its own only, as with `fs:write:output/**`.',
  )
}

/** The options go by a descriptor: a command line can be read by every user of the machine, and inside. */
function cellLine(
  { bwrap, bash }: { bwrap: string; bash: string },
  { options, gate, seccomp }: Line,
): Pick<CellParts, 'program' | 'args' | 'env' | 'feeds'> {
  const optionsWithFilter = [...options, '--seccomp', String(firstFeed + 1)]
  return {
    program: bwrap,
    // A bash whose input is a socket takes it for a login from elsewhere, and would read the start-up file.
    args: ['--args', String(firstFeed), '--', bash, '--norc', '-c', gate],
    // Its environment can be read inside, whatever bubblewrap clears later.
    env: {},
    feeds: [`${optionsWithFilter.join('\0')}\0`, seccomp],
  }
}

export interface Line {
  readonly options: readonly string[]
  readonly gate: string
  readonly seccomp: Uint8Array
}

/** What a sandbox is made from, worked out once for the one that waits and for the one that is made. */
interface Plan {
  readonly confinement: Confinement
  readonly line: Line
  readonly key: string
}

/** What bubblewrap is told, what the gate does, what the kernel lets pass. */
export function line(confinement: Confinement, system: SystemView, memoryByProcess: boolean): Line {
  const unixSockets = confinement.network !== undefined
  return {
    options: bwrapOptions(confinement, { system, kindOf: kindForLine }),
    gate: gateScript(confinement.limits, { memoryByProcess, ...(unixSockets && { bridge: bridgePlaces }) }),
    seccomp: seccompFor({ unixSockets, unseenMemory: !memoryByProcess }),
  }
}

const compiled = new Map<string, Uint8Array>()

function seccompFor(options: ProfileOptions): Uint8Array {
  const { arch } = process
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`there is no seccomp program for ${arch}`)
  const key = JSON.stringify(options)
  const known = compiled.get(key) ?? compileProfile(profile(options), arch)
  compiled.set(key, known)
  return known
}

/** Sandboxes with the same key are the same inside. A file that was replaced since is another file. */
function keyOf(confinement: Confinement, { options, gate }: Line): string {
  const identity = (path: string, time: 'birthtimeNs' | 'ctimeNs'): string => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return `${found?.ino} ${found?.[time]}`
  }
  // The number of a file that was replaced is soon given to another, so the time counts too: of folders that are worked
  // in the time they were made, of guarded ones the time of the last change.
  const files = [
    ...confinement.folders.map(({ path }) => identity(path, 'birthtimeNs')),
    ...[...confinement.guarded, ...confinement.hidden].map((path) => identity(path, 'ctimeNs')),
  ]
  return JSON.stringify([options, gate, files])
}

function firstLine(text: Buffer): string {
  return text.toString().trim().split('\n')[0] ?? ''
}
