/** Outcomes predicted by `explain` for a scene: the part of the oracle that needs no client. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { mapStrings, type Json } from '@contextd/shared/json/value'
import { explain } from '../../src/claude-code/explain/explain.ts'
import { readSetup } from '../../src/claude-code/read/read-setup.ts'
import type { Outcomes, RecordedScene } from './record.ts'
import { fillIn, type Outcome, type Scene } from './scene.ts'

/** The folders in which a scene is played. */
export interface Stage {
  readonly root: string
  readonly home: string
  readonly project: string
}

/** Writes the files of a scene, and returns it with real paths instead of `$ROOT` and other placeholders. */
export function setUp(scene: Scene, stage: Stage): Scene {
  const { project } = stage
  const projects = scene.isUntrusted ? {} : { [project]: { hasTrustDialogAccepted: true } }
  const state = { hasCompletedOnboarding: true, projects }
  const filled = filledScene(scene, stage)
  writeScene({ 'home/.claude.json': state, ...filled.files }, stage)
  for (const [file, target] of Object.entries(filled.links ?? {})) {
    const path = join(stage.root, file)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  }
  return filled
}

/** Replaces `$ROOT` and other placeholders by real paths. */
export function filledScene<T>(scene: T, { root, home, project }: Stage): T {
  const values = { ROOT: root, HOME: home, PROJECT: project, NODE: process.execPath, SERVER: probeServer }
  return mapStrings(scene as unknown as Json, (text) => fillIn(text, values)) as unknown as T
}

export function writeScene(files: Scene['files'], { root }: Stage): void {
  for (const [file, content] of Object.entries(files)) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}

const probeServer = fileURLToPath(new URL('probe-server.mjs', import.meta.url))

/** For a scene whose files are written; in the order of its probes. */
export function explained(scene: Scene, { root, home }: Stage): Outcome[] {
  const {
    agent,
    runAs,
    after,
    mode,
    cliAllow = [],
    cliDeny = [],
    plugins = [],
    addDirs = [],
    startedIn = 'project',
  } = scene
  const places = {
    project: join(root, startedIn),
    home,
    config: join(home, '.claude'),
    state: join(home, '.claude.json'),
    managed: join(root, 'managed'),
  }
  const setup = readSetup(places, {
    secretsIn: () => [],
    pluginFolders: plugins.map((folder) => join(root, folder)),
    addedFolders: addDirs.map((folder) => resolve(places.project, folder)),
  })
  const question = {
    cliAllow,
    cliDeny,
    ...(mode !== undefined && { mode }),
    ...(agent !== undefined && { agent }),
    ...(runAs !== undefined && { runAs }),
    ...(after !== undefined && { skill: after }),
  }
  return scene.probes.map(({ asked }) => {
    const { decision, isListed, hooks } = explain(setup, { ...question, tool: asked })
    if (!isListed || decision === 'absent') return 'no such tool'
    // Here it is known which skills have run.
    const isRefused = hooks.some(({ source }) => source !== 'skill' || after !== undefined)
    return scene.hooksRefuse && isRefused ? 'deny' : decision
  })
}

/** By question. */
export function byName({ probes }: RecordedScene, outcomes: readonly Outcome[]): Outcomes {
  return Object.fromEntries(probes.map(({ asked }, at) => [asked, outcomes[at]!]))
}
