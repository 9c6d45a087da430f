import { execFileSync } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'

import { afterAll, describe, expect, test } from 'vitest'

import { clientProgram } from './client-run.ts'
import { inOneRun, play, type Played } from './permissions/play.ts'
import {
  differences,
  differenceTable,
  readObserved,
  writeObserved,
  type Observed,
} from './permissions/record.ts'
import { allScenes, sceneGroups } from './permissions/scenes.ts'
import type { Scene } from './permissions/scene.ts'

/** `all`, or `record` to write down what the client does; without it a part is played that is quickly done. */
const wish = process.env.CONTEXTD_ORACLE
const isWhole = wish === 'all' || wish === 'record'

describe('explain says what the real client does', () => {
  const playedSoFar: Played[] = []

  test.each(Object.entries(sceneGroups))(
    '%s',
    async (_, scenes) => {
      const played = await playAll(inOneRun(scenes).filter((_run, at) => isWhole || at % 4 === 0))
      playedSoFar.push(...played)
      const wrong = differences(byScene('explain', played), byScene('client', played))
      expect(wrong, `\n${differenceTable(wrong, 'explain says', 'client did')}`).toEqual([])
    },
    900_000,
  )

  // Another version may do otherwise: that is news, and wrong only where explain does not know it.
  afterAll(() => {
    const recorded = readObserved()
    const version = clientVersion()
    const seen = byScene('client', playedSoFar)
    const changed = differences(recorded.scenes, seen)
    if (changed.length > 0) {
      const table = differenceTable(changed, recorded.version, version)
      process.stderr.write(`\nWhat the client does otherwise than it was recorded:\n${table}\n`)
    }
    const isSame = version === recorded.version
    if (wish === 'record')
      writeObserved({ version, scenes: { ...(isSame && recorded.scenes), ...seen } }, allScenes)
    else if (isSame) expect(changed).toEqual([])
  })
})

const byScene = (side: 'client' | 'explain', played: readonly Played[]): Observed['scenes'] =>
  Object.fromEntries(played.map((one) => [one.scene, one[side]]))

/** Only some at a time: each of them is a whole client. */
async function playAll(runs: readonly (readonly Scene[])[]): Promise<Played[]> {
  const waiting = [...runs]
  const played: Played[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      played.push(...(await play(next)))
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker))
  return played
}

function clientVersion(): string {
  const env = { HOME: tmpdir() }
  return execFileSync(clientProgram('claude'), ['--version'], { env, encoding: 'utf8' }).split(' ')[0]!
}
