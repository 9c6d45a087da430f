/** Outcomes predicted by `explain` for a scene: the part of the oracle that needs no client. */

import { join } from 'node:path'

import { explainOpenCode } from '../../src/opencode/explain/explain.ts'
import { openCodePlaces } from '../../src/opencode/places.ts'
import { readOpenCodeSetup } from '../../src/opencode/read-setup.ts'
import { filledScene, writeScene, type Stage } from '../claude-code/outcomes.ts'
import type { Outcome } from '../claude-code/scene.ts'
import type { Scene } from './scene.ts'

/** Writes the files of a scene, and returns it with real paths instead of `$ROOT` and other placeholders. */
export function setUp(scene: Scene, stage: Stage): Scene {
  const filled = filledScene(scene, stage)
  writeScene(filled.files, stage)
  return filled
}

/** For a scene whose files are written; in the order of its probes. */
export function explained({ env, agent, runAs, probes }: Scene, stage: Stage): Outcome[] {
  const { root, home, project } = stage
  const places = openCodePlaces({ env: { HOME: home, TMPDIR: join(root, 'tmp'), ...env }, cwd: project })
  const setup = readOpenCodeSetup({ ...places, managed: join(root, 'managed') }, { secretsIn: () => [] })
  const who = agent ?? runAs
  return probes.map(({ asked }) => {
    const { decision, isListed } = explainOpenCode(setup, {
      tool: asked,
      ...(who !== undefined && { agent: who }),
    })
    return isListed && decision !== 'absent' ? decision : 'no such tool'
  })
}
