/** Shared by the players of all clients. */

import { existsSync, readFileSync } from 'node:fs'

import type { ClientRun, Seen } from '../../../../test/clients/client-run.ts'
import type { RecordedScene } from './record.ts'
import type { Outcome } from './scene.ts'

export interface AnyScene extends RecordedScene {
  readonly files: object
  /** The subagent that runs the probes. */
  readonly agent?: string | undefined
}

/** Scenes that differ only in who runs the probes share one run of the client. */
export function inOneRun<Scene extends AnyScene>(scenes: readonly Scene[]): Scene[][] {
  const runs = new Map<unknown, Map<string, Scene[]>>()
  for (const scene of scenes) {
    const { files, name: _name, probes: _probes, agent: _agent, undocumented: _why, ...surroundings } = scene
    const key = JSON.stringify(surroundings)
    const sameFiles = runs.get(files) ?? new Map<string, Scene[]>()
    runs.set(files, sameFiles.set(key, [...(sameFiles.get(key) ?? []), scene]))
  }
  return [...runs.values()].flatMap((sameFiles) => Array.from(sameFiles.values()))
}

export function seenBy(run: ClientRun, id: string, { name }: AnyScene): Seen {
  try {
    return run.saw(id)
  } catch (error) {
    throw new Error(`${name}: ${String(error)} ${run.stdout.slice(-2000)}`, { cause: error })
  }
}

/** The client's messages are not sufficient: allowed calls leave traces, and only those. */
export function checkTraces(cell: string, outcome: Outcome, traces: readonly boolean[]): void {
  if (traces.some((isThere) => isThere !== (outcome === 'allow')))
    throw new Error(`${cell} looks like "${outcome}", but its traces say otherwise`)
}

export function linesOf(file: string): Set<string> {
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
}
