import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { bundleScript } from '../support/bundled-script.ts'
import { seededRandom } from '@contextd/shared/testing/secret-samples'
import { until } from '@contextd/shared/testing/until'
import { tempFolder } from './scratch.ts'
import { processesNamed, survivors } from './survivors.ts'

export interface SandboxStormOptions {
  readonly rounds: number
  readonly seed: number
  readonly onRound?: (round: number) => void
}

export interface SandboxAftermath {
  /** Processes from inside that outlived a killed contextd. */
  readonly leftProcesses: number
  /** Rounds in which commands really ran when the blow came. */
  readonly busyRounds: number
  readonly newMounts: number
  /** In the state folder, after contextd was started once more. */
  readonly leftFiles: readonly string[]
  readonly leftGroups: readonly string[]
}

/** contextd killed over and over while its sandboxes are made, wait, run and end; and what is left of them. */
export async function sandboxStorm({
  rounds,
  seed,
  onRound,
}: SandboxStormOptions): Promise<SandboxAftermath> {
  const scratch = tempFolder()
  const [folder, workspace] = [join(scratch.path, 'state'), join(scratch.path, 'workspace')]
  mkdirSync(workspace)
  const script = await bundleScript('test/sandbox/storm-runner.ts')
  const name = `storm-${process.pid}-${seed}`
  const random = seededRandom(seed)
  const runners = new Set<number>()
  const start = (...more: string[]) => {
    const args = [script.path, folder, workspace, name, ...more]
    const runner = spawn(process.execPath, args, { stdio: 'inherit', env: {} })
    runners.add(runner.pid ?? 0)
    return runner
  }
  try {
    await once(start('once'), 'exit')
    let left = 0
    let busyRounds = 0
    for (let round = 0; round < rounds; round++) {
      onRound?.(round)
      const runner = start()
      // Every other time while commands run, else at any moment before.
      if (round % 2 === 0) await until(() => processesNamed(name).length > 0)
      await sleep(random() * 200)
      if (processesNamed(name).length > 0) busyRounds++
      runner.kill('SIGKILL')
      await once(runner, 'exit')
      left += await remaining(name)
    }
    await once(start('once'), 'exit')
    return {
      leftProcesses: left,
      busyRounds,
      newMounts: mountsBelow(scratch.path),
      leftFiles: readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /pipes-|net-/.test(file),
      ),
      leftGroups: leftGroups(runners),
    }
  } finally {
    script.remove()
    scratch.remove()
  }
}

/** The kernel ends them right after contextd; a busy machine takes its time. */
async function remaining(name: string): Promise<number> {
  for (let tries = 0; tries < 2000; tries++) {
    if (processesNamed(name).length === 0) return 0
    await sleep(25)
  }
  return survivors(name)
}

/** Others on the machine mount and unmount meanwhile. */
function mountsBelow(folder: string): number {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  return mounts.filter((line) => line.includes(folder)).length
}

/** Groups of these processes; those of others come and go meanwhile. */
function leftGroups(pids: ReadonlySet<number>): string[] {
  const places = ['/sys/fs/cgroup', '/sys/fs/cgroup/memory', '/sys/fs/cgroup/pids']
  return places.flatMap((place) => {
    try {
      return readdirSync(place).filter((group) => pids.has(Number(/^contextd-(\d+)-/.exec(group)?.[1])))
    } catch {
      return []
    }
  })
}
