/** Holds `explain` against what a client was seen to do, without the client. */

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

/** `explained` sets a scene up and answers in the order of its probes. */
export function holdAgainstRecord<Scene extends RecordedScene>(
  oracle: Oracle,
  scenes: readonly Scene[],
  explained: (scene: Scene, stage: Stage) => Outcome[],
): void {
  describe(`what ${oracle.client} was seen to do`, () => {
    const observed = readObserved(oracle)

    test.each(scenes.map((scene) => [scene.name, scene] as const))('%s', (name, scene) => {
      const said = { [name]: byName(scene, explained(scene, makeStage())) }
      const wrong = differences(said, { [name]: observed.scenes[name] ?? {} })
      expect(wrong, `\n${differenceTable(wrong, 'explain says', 'client did')}`).toEqual([])
    })

    test('is recorded for every cell, and for no other', () => {
      const cells = Object.fromEntries(
        scenes.map(({ name, probes }) => [name, probes.map(({ asked }) => asked)]),
      )
      const seen = Object.fromEntries(
        Object.entries(observed.scenes).map(([name, outcomes]) => [name, Object.keys(outcomes)]),
      )
      expect(seen).toEqual(cells)
    })

    test('has a page with what the client does not promise', () => {
      expect(readFileSync(oracle.page, 'utf8')).toBe(oraclePage(oracle, observed, scenes))
    })

    test('has all kinds of outcomes', () => {
      const outcomes = Object.values(observed.scenes).flatMap((scene) => Object.values(scene))
      expect(outcomes.length).toBeGreaterThan(150)
      expect([...new Set(outcomes)].sort()).toEqual(['allow', 'ask', 'deny', 'no such tool'])
    })
  })
}
