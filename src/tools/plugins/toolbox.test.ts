import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { toolProject, type ToolProject } from '../../../test/support/tool-packages.ts'
import { openStore, type Store } from '../../platform/storage/store.ts'
import { createTrust } from '../../platform/trust.ts'
import { createToolbox, type Toolbox } from './toolbox.ts'

let place: ToolProject
let store: Store
let toolbox: Toolbox
let events: string[]
const limits = {
  timeMs: 30_000,
  cpuSeconds: 10,
  memoryBytes: 128 << 20,
  processes: 10,
  fileBytes: 1 << 20,
  outputBytes: 1 << 20,
  diskBytes: 1 << 20,
  diskFiles: 1000,
}

beforeEach(() => {
  place = toolProject()
  store = openStore(join(place.home, 'contextd.db'))
  events = []
  toolbox = createToolbox({
    store,
    tenant: 'local',
    project: place.project,
    stateFolder: join(place.home, 'state'),
    clock: () => 1000,
    count: (text) => text.length / 4,
    isTaken: (name) => name === 'safe_bash',
    trust: createTrust(store, 'local', () => 1000),
    limits,
    callTimeMs: 60_000,
    onEvent: (name, { tool }) => events.push(`${name} ${JSON.stringify(tool)}`),
  })
})
afterEach(() => {
  store.close()
  place.remove()
})

async function approve(name = 'probe', grants: string[] = []): Promise<void> {
  const { approve: confirm } = await toolbox.prepareApproval(name, grants)
  confirm()
}

it('lists every package with its state, and what is gone', async () => {
  for (const name of ['ok', 'later', 'lost']) place.add({ name })
  place.add({ name: 'odd', schema: { type: 'object', propertys: {} } })
  await approve('ok')
  await approve('lost')
  rmSync(join(place.project, '.contextd/tools/lost'), { recursive: true })
  expect((await toolbox.list()).map(({ name, state, why }) => [name, state, why.join()])).toEqual([
    ['later', 'new', ''],
    ['lost', 'gone', 'the package was deleted'],
    ['odd', 'broken', 'schema.json: unknown keyword: "propertys"'],
    ['ok', 'approved', ''],
  ])
})

it('says in plain words what a tool may do', async () => {
  place.add({
    required: ['fs:read:src/**', 'http:fetch:GET@api.example.com'],
    optional: ['fs:write:out/**'],
    limits: 'max_execution_time = "10s"\nmax_memory = "1GB"\nmax_output_size = "4KB"',
  })
  const { may, mayAsk } = await toolbox.show('probe')
  expect(may).toEqual([
    'read files below src/',
    'reach api.example.com on ports 80 and 443 with GET',
    // Never more than is configured.
    'run for at most 10 s with 128 MB, and answer at most 4 KB',
  ])
  expect(mayAsk).toEqual(['read and write files below out/'])
})

describe('approving', () => {
  it('pins the reviewed bytes, not later ones', async () => {
    const folder = place.add({ script: 'echo shown' })
    const { approve: confirm } = await toolbox.prepareApproval('probe', [])
    writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\necho swapped\n')
    confirm()
    expect(await toolbox.show('probe')).toMatchObject({ state: 'changed', why: ['run.sh changed'] })
    const [copy] = readdirSync(join(place.home, 'state/tools'))
    expect(readFileSync(join(place.home, 'state/tools', copy!, 'run.sh'), 'utf8')).toContain('echo shown')
    place.add({ script: 'echo shown' })
    expect(await toolbox.show('probe')).toMatchObject({ state: 'approved', approvedAt: 1000 })
  })

  it('implies trust of these bytes', async () => {
    place.add({})
    await approve()
    const files = createTrust(store, 'local', () => 0).projectFiles(place.project)
    expect(new Set(files.map(({ state }) => state))).toEqual(new Set(['trusted']))
    expect(files.length).toBe(4)
  })

  it('gives an optional capability only where it is named, and keeps it with the same bytes', async () => {
    place.add({ required: ['fs:read:src/**'], optional: ['fs:write:out/**', 'memory:read'] })
    await approve()
    const granted = async (): Promise<string[]> =>
      (await toolbox.show('probe')).granted.map(({ kind }) => kind)
    expect(await granted()).toEqual(['fs:read'])
    await approve('probe', ['memory:read'])
    expect(await granted()).toEqual(['fs:read', 'memory:read'])
    await approve('probe', ['fs:write:out/**'])
    expect(await granted()).toEqual(['fs:read', 'fs:write', 'memory:read'])
    place.add({ script: 'echo other', required: ['fs:read:src/**'], optional: ['memory:read'] })
    await approve()
    expect(await granted()).toEqual(['fs:read'])
  })

  it('is not possible for what the package does not list, is broken or is not there', async () => {
    place.add({ optional: ['memory:read'] })
    await expect(toolbox.prepareApproval('probe', ['fs:write:**'])).rejects.toMatchObject({
      code: 'USAGE',
      details: { hint: 'Optional are: memory:read.' },
    })
    place.add({ name: 'half', files: { 'TOOL.md': '', 'schema.json': '{' } })
    await expect(toolbox.prepareApproval('half', [])).rejects.toThrow(
      /TOOL\.md: is empty.*\nschema\.json:1:2/s,
    )
    for (const name of ['none', '../probe']) {
      await expect(toolbox.prepareApproval(name, [])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  it('is recorded, and so is taking it back, which leaves the files', async () => {
    const folder = place.add({})
    await approve()
    expect(toolbox.remove('probe')).toEqual({ wasApproved: true, hasFiles: true })
    expect(toolbox.remove('probe')).toEqual({ wasApproved: false, hasFiles: true })
    expect(events).toEqual(['tool-approved "probe"', 'tool-approval-removed "probe"'])
    expect(await toolbox.show('probe')).toMatchObject({ state: 'new' })
    expect(existsSync(join(folder, 'run.sh'))).toBe(true)
  })

  it('is not possible for what no tool can have, and says so before anyone is asked', async () => {
    symlinkSync(place.home, join(place.project, 'elsewhere'))
    place.add({ required: ['fs:read:/etc/**'], optional: ['fs:write:elsewhere/**', 'fs:read:later/**'] })
    const problems = [
      'capabilities.toml: fs:read:/etc/** cannot be granted to a tool: it belongs to the system, or to contextd itself',
      'capabilities.toml: fs:write:elsewhere/** cannot be granted to a tool: it is reached through a link; name the place itself',
    ]
    expect(await toolbox.show('probe')).toMatchObject({ state: 'broken', why: problems })
    await expect(toolbox.prepareApproval('probe', [])).rejects.toMatchObject({
      code: 'TOOL_PACKAGE_INVALID',
      details: { problem: problems.join('\n') },
    })
  })

  it('deletes copies that may no longer run, after a grace period', async () => {
    const copies = (): string[] => readdirSync(join(place.home, 'state/tools'))
    place.add({})
    await approve()
    const [old = ''] = copies()
    place.add({ script: 'echo other' })
    await approve()
    expect(copies()).toContain(old)
    utimesSync(join(place.home, 'state/tools', old), 1, 1)
    toolbox.remove('none')
    expect(copies()).toHaveLength(1)
    expect(copies()).not.toContain(old)
  })
})

describe('a new package', () => {
  it('is complete', async () => {
    const files = toolbox.create('weather')
    expect(files).toEqual(
      ['TOOL.md', 'schema.json', 'capabilities.toml', 'run.sh'].map(
        (file) => `.contextd/tools/weather/${file}`,
      ),
    )
    expect(await toolbox.show('weather')).toMatchObject({ state: 'new', package: { executable: 'run.sh' } })
    await approve('weather')
    expect(await toolbox.show('weather')).toMatchObject({ state: 'approved' })
  })

  it.each([
    ['Weather', /lower-case letters/],
    ['../weather', /lower-case letters/],
    ['safe_bash', /a built-in tool/],
    ['there', /already exists/],
  ])('cannot be called %s', (name, problem) => {
    place.add({ name: 'there' })
    expect(() => toolbox.create(name)).toThrow(problem)
  })
})
