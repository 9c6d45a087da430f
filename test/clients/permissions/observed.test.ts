import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { byName, explained, setUp, type Stage } from './outcomes.ts'
import { differences, differenceTable, oraclePage, oraclePageFile, readObserved } from './record.ts'
import { allScenes } from './scenes.ts'

function makeStage(): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-oracle-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const stage = { root, home: join(root, 'home'), project: join(root, 'project') }
  for (const folder of [stage.home, stage.project]) mkdirSync(folder)
  return stage
}

describe('what the client was seen to do', () => {
  const observed = readObserved()

  test.each(allScenes.map((scene) => [scene.name, scene] as const))('%s', (name, scene) => {
    const stage = makeStage()
    const said = { [name]: byName(scene, explained(setUp(scene, stage), stage)) }
    const wrong = differences(said, { [name]: observed.scenes[name] ?? {} })
    expect(wrong, `\n${differenceTable(wrong, 'explain says', 'client did')}`).toEqual([])
  })

  test('is recorded for every cell, and for no other', () => {
    const cells = Object.fromEntries(
      allScenes.map(({ name, probes }) => [name, probes.map(({ asked }) => asked)]),
    )
    const seen = Object.fromEntries(
      Object.entries(observed.scenes).map(([name, outcomes]) => [name, Object.keys(outcomes)]),
    )
    expect(seen).toEqual(cells)
  })

  test('has a page with what the client does not promise', () => {
    expect(readFileSync(oraclePageFile, 'utf8')).toBe(oraclePage(observed, allScenes))
  })

  test('has all kinds of outcomes', () => {
    const outcomes = Object.values(observed.scenes).flatMap((scene) => Object.values(scene))
    expect(outcomes.length).toBeGreaterThan(150)
    expect([...new Set(outcomes)].sort()).toEqual(['allow', 'ask', 'deny', 'no such tool'])
  })
})
