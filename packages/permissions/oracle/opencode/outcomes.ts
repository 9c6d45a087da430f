/** What `explain` says of a scene: the half of the oracle that needs no client. */

import { join } from 'node:path'

import { explainOpenCode } from '../../src/opencode/explain/explain.ts'
import { openCodePlaces } from '../../src/opencode/places.ts'
import { readOpenCodeSetup } from '../../src/opencode/read-setup.ts'
import { filledScene, writeScene, type Stage } from '../claude-code/outcomes.ts'
import type { Outcome } from '../claude-code/scene.ts'
import type { Scene } from './scene.ts'

/** Writes the files of a scene; answers it with the real paths in place of `$ROOT` and the like. */
export function setUp(scene: Scene, stage: Stage): Scene {
  const filled = filledScene(scene, stage)
  writeScene(filled.files, stage)
  return filled
}

/** For a scene that is set up; in the order of its probes. */
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
