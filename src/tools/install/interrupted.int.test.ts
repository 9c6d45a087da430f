import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { bundleScript, type BundledScript } from '../../../test/support/bundled-script.ts'
import { openTestTools } from '../../../test/support/test-tools.ts'
import {
  packageFiles,
  toolProject,
  writePackage,
  type ToolProject,
} from '../../../test/support/tool-packages.ts'
import { openStore } from '../../platform/storage/store.ts'

let script: BundledScript
let place: ToolProject
beforeAll(async () => {
  script = await bundleScript('test/support/killed-installer.ts')
})
afterAll(() => {
  script.remove()
  place.remove()
})

const project = (): string => join(place.home, 'project')

function offer(version: string): void {
  const source = join(place.home, 'source')
  rmSync(source, { recursive: true, force: true })
  writePackage(source, packageFiles({ script: `echo ${version}`, files: { [`${version}.txt`]: version } }))
}

interface Ending {
  readonly signal: NodeJS.Signals | null
  readonly steps: number
  /** The step with which it began to change what was there. */
  readonly begun: number
}

function act(action: string, last?: number): Ending {
  const args = [script.path, place.home, project(), action, ...(last === undefined ? [] : [String(last)])]
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (signal === null && stdout === '') throw new Error(stderr)
  return {
    signal,
    ...(signal === null ? (JSON.parse(stdout) as Omit<Ending, 'signal'>) : { steps: 0, begun: 0 }),
  }
}

/** Every step that counts, and a few of those in which it only gets ready. */
function moments({ steps, begun }: Ending, every = 1): number[] {
  return Array.from({ length: steps }, (_, index) => index + 1).filter((step) =>
    step >= begun ? step % every === 0 : step % 5 === 1,
  )
}

/** The same start for every attempt. */
function remember(): () => void {
  const kept = `${place.home}-kept`
  rmSync(kept, { recursive: true, force: true })
  cpSync(place.home, kept, { recursive: true })
  return () => {
    rmSync(place.home, { recursive: true })
    cpSync(kept, place.home, { recursive: true })
  }
}

interface Seen {
  readonly state: string
  /** What the tool would print. */
  readonly version: string | undefined
}

/** As an agent's call finds it, without any command in between. */
async function look(): Promise<Seen> {
  const store = openStore(join(place.home, 'contextd.db'))
  try {
    const { toolbox } = openTestTools(store, { home: place.home, project: project() })
    const report = await toolbox.show('probe')
    const bytes = report.package?.files.files.find(({ path }) => path === 'run.sh')?.bytes
    return { state: report.state, version: /echo (\w+)/.exec(bytes?.toString() ?? '')?.[1] }
  } catch {
    return { state: 'none', version: undefined }
  } finally {
    store.close()
  }
}

/** What the next command leaves. */
function cleanUp(): { left: string[]; locked: boolean } {
  const store = openStore(join(place.home, 'contextd.db'))
  try {
    const { installer } = openTestTools(store, { home: place.home, project: project() })
    const locked = installer.installed().has('probe')
    const folder = join(project(), '.contextd')
    const left = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('.')) : []
    return { left, locked }
  } finally {
    store.close()
  }
}

async function updateHere(): Promise<void> {
  const store = openStore(join(place.home, 'contextd.db'))
  try {
    const { installer } = openTestTools(store, { home: place.home, project: project() })
    const prepared = await installer.prepareUpdate('probe')
    if (!prepared.isSame) prepared.confirm()
    prepared.discard()
  } finally {
    store.close()
  }
}

describe('killed behind every step', { timeout: 600_000 }, () => {
  it('an update leaves the old version or the new one working, and the next command completes it', async () => {
    place = toolProject()
    offer('one')
    act('install')
    offer('two')
    const restore = remember()
    const ending = act('update')
    expect(await look()).toEqual({ state: 'approved', version: 'two' })
    const seen = new Set<string | undefined>()
    for (const last of moments(ending)) {
      restore()
      expect([last, act('update', last).signal]).toEqual([last, 'SIGKILL'])
      const found = await look()
      expect([last, found.state]).toEqual([last, 'approved'])
      seen.add(found.version)
      expect([last, cleanUp()]).toEqual([last, { left: [], locked: true }])
      expect([last, await look()]).toEqual([last, found])
      await updateHere()
      expect([last, await look()]).toEqual([last, { state: 'approved', version: 'two' }])
    }
    expect(seen).toEqual(new Set(['one', 'two']))
  })

  it('a first install leaves the tool or nothing', async () => {
    place.remove()
    place = toolProject()
    offer('one')
    const restore = remember()
    const ending = act('install')
    const seen = new Set<string>()
    for (const last of moments(ending, 2)) {
      restore()
      act('install', last)
      const { left, locked } = cleanUp()
      const { state } = await look()
      expect([last, left, state]).toEqual([last, [], locked ? 'approved' : 'none'])
      seen.add(state)
    }
    expect(seen).toEqual(new Set(['approved', 'none']))
  })

  it('a removal leaves the tool as it was or nothing of it', async () => {
    place.remove()
    place = toolProject()
    offer('one')
    act('install')
    const restore = remember()
    const ending = act('remove')
    expect(readdirSync(project())).toEqual([])
    const seen = new Set<string>()
    for (const last of moments(ending)) {
      restore()
      act('remove', last)
      const { left, locked } = cleanUp()
      const { state } = await look()
      expect([last, left, state]).toEqual([last, [], locked ? 'approved' : 'none'])
      seen.add(state)
    }
    expect(seen).toEqual(new Set(['approved', 'none']))
  })
})
