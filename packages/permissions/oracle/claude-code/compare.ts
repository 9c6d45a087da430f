/** Plays scenes with a real client, compares the outcomes with `explain`, and records them on request. */

import { execFileSync } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'

import { afterAll, describe, expect, test } from 'vitest'

import { clientProgram } from '../../../../test/clients/client-run.ts'
import { inOneRun, type AnyScene } from './probed-run.ts'
import {
  differences,
  differenceTable,
  readObserved,
  writeObserved,
  type Observed,
  type Oracle,
  type Outcomes,
} from './record.ts'

export interface Played {
  readonly scene: string
  readonly client: Outcomes
  readonly explain: Outcomes
}

export interface Comparison<Scene extends AnyScene> {
  readonly oracle: Oracle
  readonly program: 'claude' | 'opencode'
  readonly groups: Readonly<Record<string, readonly Scene[]>>
  readonly play: (scenes: readonly Scene[]) => Promise<Played[]>
}

/** `all`, or `record` to store the outcomes; by default only a fast subset is played. */
const wish = process.env.CONTEXTD_ORACLE
const isComplete = wish === 'all' || wish === 'record'

export function compareWithClient<Scene extends AnyScene>(comparison: Comparison<Scene>): void {
  const { oracle, program, groups, play } = comparison
  describe(`explain agrees with the real ${oracle.client}`, () => {
    const playedSoFar: Played[] = []

    test.each(Object.entries(groups))(
      '%s',
      async (_, scenes) => {
        const runs = inOneRun(scenes).filter((_run, at) => isComplete || at % 8 === 0)
        const played = await playAll(runs, play)
        playedSoFar.push(...played)
        const wrong = differences(byScene('explain', played), byScene('client', played))
        expect(wrong, `\n${differenceTable(wrong, 'explain says', 'client did')}`).toEqual([])
      },
      900_000,
    )

    // Another version may behave differently: that is an error only if explain is wrong about it.
    afterAll(() => {
      const recorded = readObserved(oracle)
      const version = clientVersion(program)
      const seen = byScene('client', playedSoFar)
      const changed = differences(recorded.scenes, seen)
      if (changed.length > 0) {
        const table = differenceTable(changed, recorded.version, version)
        process.stderr.write(`\nWhat the client does otherwise than it was recorded:\n${table}\n`)
      }
      const isSame = version === recorded.version
      if (wish === 'record') {
        const scenes = { ...(isSame && recorded.scenes), ...seen }
        writeObserved(oracle, { version, scenes }, Object.values(groups).flat())
      } else if (isSame) expect(changed).toEqual([])
    })
  })
}

const byScene = (side: 'client' | 'explain', played: readonly Played[]): Observed['scenes'] =>
  Object.fromEntries(played.map((one) => [one.scene, one[side]]))

/** Limited concurrency: each scene runs a client process. */
async function playAll<Run>(runs: readonly Run[], play: (run: Run) => Promise<Played[]>): Promise<Played[]> {
  const waiting = [...runs]
  const played: Played[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      played.push(...(await play(next)))
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker))
  return played
}

function clientVersion(program: Comparison<AnyScene>['program']): string {
  const env = { HOME: tmpdir() }
  return execFileSync(clientProgram(program), ['--version'], { env, encoding: 'utf8' }).trim().split(' ')[0]!
}
