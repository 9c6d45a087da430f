/** Compares `explain` with the recorded behaviour of a client, without the client. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { byName, type Stage } from './outcomes.ts'
import {
  differences,
  differenceTable,
  oraclePage,
  readObserved,
  type Oracle,
  type RecordedScene,
} from './record.ts'
import type { Outcome } from './scene.ts'

function makeStage(): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-oracle-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const stage = { root, home: join(root, 'home'), project: join(root, 'project') }
  for (const folder of [stage.home, stage.project]) mkdirSync(folder)
  return stage
}

/** `explained` sets up a scene and returns the outcomes in the order of its probes. */
export function checkAgainstRecord<Scene extends RecordedScene>(
  oracle: Oracle,
  scenes: readonly Scene[],
  explained: (scene: Scene, stage: Stage) => Outcome[],
): void {
  describe(`recorded behaviour of ${oracle.client}`, () => {
    const observed = readObserved(oracle)

    test.each(scenes.map((scene) => [scene.name, scene] as const))('%s', (name, scene) => {
      const predicted = { [name]: byName(scene, explained(scene, makeStage())) }
      const wrong = differences(predicted, { [name]: observed.scenes[name] ?? {} })
      expect(wrong, `\n${differenceTable(wrong, 'explain says', 'client did')}`).toEqual([])
    })

    test('is recorded for exactly the existing cells', () => {
      const cells = Object.fromEntries(
        scenes.map(({ name, probes }) => [name, probes.map(({ asked }) => asked)]),
      )
      const seen = Object.fromEntries(
        Object.entries(observed.scenes).map(([name, outcomes]) => [name, Object.keys(outcomes)]),
      )
      expect(seen).toEqual(cells)
    })

    test('has a page with the undocumented behaviour', () => {
      expect(readFileSync(oracle.page, 'utf8')).toBe(oraclePage(oracle, observed, scenes))
    })

    test('contains all kinds of outcomes', () => {
      const outcomes = Object.values(observed.scenes).flatMap((scene) => Object.values(scene))
      expect(outcomes.length).toBeGreaterThan(150)
      expect([...new Set(outcomes)].sort()).toEqual(['allow', 'ask', 'deny', 'no such tool'])
    })
  })
}
