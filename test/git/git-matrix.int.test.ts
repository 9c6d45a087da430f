/**
 * The invariant: after anything an agent's command did, a git command of the user runs no program, and reads no setting
 * that names one, which was not there before.
 *
 * Every way to make git run something, at every place git reads, in every layout. Each cell is played twice: once with the
 * agent's text run by a plain shell, where the marker has to appear, else the cell would prove nothing; once through the
 * sandbox, where it must not. A sample of the cells runs with every test run, all of them with CONTEXTD_GIT_MATRIX=all.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { guardRepositories } from '../../src/tools/repositories/guarded-sandbox.ts'
import { createRepositoryGuard } from '../../src/tools/repositories/repository-guard.ts'
import { confinedTo } from '../sandbox/confined-to.ts'
import { tempFolder } from '../sandbox/scratch.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { features, places, plants, type Place, type Plant } from './attacks.ts'
import { layouts, useGit, type Layout, type Scene } from './layouts.ts'

interface Cell {
  readonly name: string
  readonly kinds: readonly string[]
  readonly layout: Layout
  readonly visited: readonly string[]
  readonly setup: string
  readonly attack: (command: string) => string
}

const hasGit = spawnSync('git', ['--version']).status === 0
const all = process.env.CONTEXTD_GIT_MATRIX === 'all'

function everyCell(): Cell[] {
  return layouts.flatMap((layout) => settingsCells(layout).concat(plantCells(layout)))
}

function settingsCells(layout: Layout): Cell[] {
  const cells = (place: Place): Cell[] =>
    features.map((feature) => ({
      name: `${feature.name}: ${place.name}: ${layout.name}`,
      kinds: [feature.name, place.name, layout.name],
      layout,
      visited: layout.visited.concat(place.visited ?? []),
      setup: '',
      attack: (command) => `
        SETTINGS=$(cat <<'END'\n${feature.settings(command)}\nEND\n)
        SETTINGS="$SETTINGS
"
        ${place.put}
        ${feature.besides?.(command) ?? ''}`,
    }))
  return places.filter(({ isFor }) => isFor(layout)).flatMap(cells)
}

function plantCells(layout: Layout): Cell[] {
  const cell = (plant: Plant): Cell => ({
    name: `${plant.name}: ${layout.name}`,
    kinds: [plant.name],
    layout,
    visited: layout.visited.concat(plant.visited ?? []),
    setup: plant.setup ?? '',
    attack: (command) => `
      SCRIPT=$PWD/agent-script; printf '#!/bin/sh\\n%s\\ncat\\n' '${command}' > "$SCRIPT"; chmod +x "$SCRIPT"
      ${plant.put}`,
  })
  return plants.filter(({ isFor }) => isFor(layout)).map(cell)
}

/** Few enough for every run, and each feature, place, layout and plant among them. */
function sample(cells: readonly Cell[]): Cell[] {
  const missing = new Set(cells.flatMap(({ kinds }) => kinds))
  const chosen: Cell[] = []
  // Not the same feature at every place: from another beginning each time.
  for (const [at] of cells.entries()) {
    const cell = cells[(at * 7919) % cells.length]!
    if (!cell.kinds.some((kind) => missing.has(kind))) continue
    chosen.push(cell)
    for (const kind of cell.kinds) missing.delete(kind)
  }
  return chosen
}

describe.runIf(sandboxHere && hasGit)('nothing an agent writes is run by the git of the user', () => {
  const scratch = tempFolder()
  let bare: Sandbox
  let count = 0

  beforeAll(async () => {
    bare = await openBubblewrap({ folder: join(scratch.path, 'state') })
  })
  afterAll(async () => {
    await bare.close()
    scratch.remove()
  })

  function newScene(): Scene & { marker: string; remove: () => void } {
    const folder = join(scratch.path, `cell-${count++}`)
    const home = join(folder, 'home')
    mkdirSync(home, { recursive: true })
    const remove = (): void => rmSync(folder, { recursive: true, force: true })
    return { folder, home, workspace: join(folder, 'outer/work'), marker: join(folder, 'marker'), remove }
  }

  /** Whether the user's git ran the agent's command. */
  async function play(
    cell: Cell,
    runAttack: (scene: Scene, text: string) => Promise<void>,
  ): Promise<boolean> {
    const scene = newScene()
    const { workspace, home, marker } = scene
    mkdirSync(join(workspace, '..'), { recursive: true })
    cell.layout.make(scene)
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    execFileSync('bash', ['-c', cell.setup], { cwd: workspace, env, stdio: 'pipe' })
    await runAttack(scene, cell.attack(`touch ${marker}`))
    rmSync(marker, { force: true })
    useGit(scene, cell.visited)
    const ran = existsSync(marker)
    scene.remove()
    return ran
  }

  const withoutGuard = async ({ workspace, home }: Scene, text: string): Promise<void> => {
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    spawnSync('bash', ['-c', text], { cwd: workspace, env, stdio: 'pipe', timeout: 30_000 })
  }
  const withGuard = async ({ workspace, home }: Scene, text: string): Promise<void> => {
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    const sandbox = guardRepositories(
      bare,
      createRepositoryGuard({ env, home, journal: join(scratch.path, 'journal') }),
      { onMoved: () => {}, onLeft: () => {} },
    )
    await sandbox.run({ run: text, cwd: workspace, env: {} }, confinedTo(workspace))
  }

  const cells = everyCell()
  const fired = new Set<string>()
  test.each((all ? cells : sample(cells)).map((cell) => [cell.name, cell] as const))(
    '%s',
    async (_, cell) => {
      if (await play(cell, withoutGuard)) for (const kind of cell.kinds) fired.add(kind)
      expect(await play(cell, withGuard)).toBe(false)
    },
  )

  // Not every feature works at every place. Each kind must in one cell, and be stopped in that one.
  test('every kind of attack works where nothing guards', { timeout: 900_000 }, async () => {
    const kinds = new Set(cells.flatMap((cell) => cell.kinds))
    for (const kind of kinds) {
      for (const cell of cells) {
        if (fired.has(kind)) break
        if (!cell.kinds.includes(kind) || !(await play(cell, withoutGuard))) continue
        for (const each of cell.kinds) fired.add(each)
        expect([cell.name, await play(cell, withGuard)]).toEqual([cell.name, false])
      }
    }
    expect([...kinds].filter((kind) => !fired.has(kind))).toEqual([])
  })
})
