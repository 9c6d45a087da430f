import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Runtime } from '../../compose.ts'
import { createWorkspaces, type Workspaces } from './workspaces.ts'

let root: string
let now: number
let opened: string[]
let closed: string[]
let workspaces: Workspaces

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-workspaces-')))
  now = 0
  opened = []
  closed = []
  workspaces = createWorkspaces({
    own: runtimeOf(folder('own')),
    async open(path) {
      opened.push(path)
      return runtimeOf(path)
    },
    clock: () => now,
  })
})
afterEach(async () => {
  await workspaces.close()
  rmSync(root, { recursive: true, force: true })
})

function folder(name: string): string {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  return path
}

function runtimeOf(project: string): Runtime {
  const runtime = { project, store: {}, log: () => {}, close: async () => void closed.push(project) }
  return runtime as unknown as Runtime
}

const projectOf = (path?: unknown): Promise<string> => workspaces.use(path, async ({ project }) => project)

test("the daemon's own folder uses its own runtime, also by default and through a link", async () => {
  symlinkSync(join(root, 'own'), join(root, 'link'))
  for (const path of [undefined, join(root, 'own'), join(root, 'link'), join(root, 'own', '.')]) {
    expect(await projectOf(path)).toBe(join(root, 'own'))
  }
  expect(opened).toEqual([])
})

test('opens a folder once for concurrent calls and any of its names', async () => {
  const path = folder('a')
  symlinkSync(path, join(root, 'also-a'))
  const projects = await Promise.all([path, join(root, 'also-a'), `${path}/`, path].map(projectOf))
  expect(new Set(projects)).toEqual(new Set([path]))
  expect(opened).toEqual([path])
})

test.each([
  ['a/b', 'not an absolute path'],
  [7, 'not an absolute path'],
  [null, 'not an absolute path'],
  ['/there/is/no/such/folder', 'does not exist'],
])('%j is refused with an explanation', async (path, why) => {
  await expect(projectOf(path)).rejects.toMatchObject({
    code: 'WORKSPACE_UNAVAILABLE',
    details: { why: expect.stringContaining(why) },
  })
})

test('reports a file instead of a folder, and a folder that was deleted while open', async () => {
  writeFileSync(join(root, 'file'), '')
  await expect(projectOf(join(root, 'file'))).rejects.toThrow('not a folder')
  const path = folder('a')
  expect(await projectOf(path)).toBe(path)
  rmSync(path, { recursive: true })
  await expect(projectOf(path)).rejects.toThrow('does not exist')
})

test('retries a folder that could not be opened', async () => {
  let fails = true
  const second = createWorkspaces({
    own: runtimeOf(folder('own')),
    open: async (path) => (fails ? Promise.reject(new Error('broken rules')) : runtimeOf(path)),
  })
  const path = folder('a')
  await expect(second.use(path, async () => 1)).rejects.toThrow('broken rules')
  fails = false
  expect(await second.use(path, async () => 1)).toBe(1)
  await second.close()
})

/** Work that continues until it is stopped. */
function working(path: string): { end(): void; done: Promise<void> } {
  let end = (): void => {}
  const wait = new Promise<void>((resolve) => (end = resolve))
  return { end: () => end(), done: workspaces.use(path, () => wait) }
}

test('closes idle ones after ten minutes, and keeps one with a running call', async () => {
  await projectOf(folder('idle'))
  const busy = working(folder('busy'))
  now = 10 * 60_000 - 1
  await workspaces.sweep()
  expect(closed).toEqual([])
  now += 1
  await workspaces.sweep()
  expect(closed).toEqual([join(root, 'idle')])
  busy.end()
  await busy.done
  await workspaces.sweep()
  expect(closed).toEqual([join(root, 'idle')])
  now += 10 * 60_000
  await workspaces.sweep()
  expect(closed).toEqual([join(root, 'idle'), join(root, 'busy')])
})

test('the ninth replaces the least recently used idle one, never one in use', async () => {
  const busy = working(folder('0'))
  for (const name of ['1', '2', '3', '4', '5', '6', '7']) {
    now += 1
    await projectOf(folder(name))
  }
  now += 1
  await projectOf(folder('1'))
  await projectOf(folder('8'))
  expect(closed).toEqual([join(root, '2')])
  busy.end()
  await busy.done
})

test('with 32 in use, refuses the next one, and the others continue', async () => {
  const busy = Array.from({ length: 31 }, (_, nth) => working(folder(String(nth))))
  expect(await projectOf(folder('31'))).toBe(join(root, '31'))
  const last = working(folder('31'))
  expect(opened).toHaveLength(32)
  busy.push(last)
  await expect(projectOf(folder('32'))).rejects.toThrow('32 others are in use')
  expect(await projectOf(folder('own'))).toBe(join(root, 'own'))
  for (const { end, done } of busy) {
    end()
    await done
  }
  expect(await projectOf(folder('32'))).toBe(join(root, '32'))
})

test("closing ends all but the daemon's own, after running calls", async () => {
  const busy = working(folder('a'))
  const closing = workspaces.close()
  expect(closed).toEqual([])
  busy.end()
  await closing
  expect(closed).toEqual([join(root, 'a')])
  await expect(projectOf()).rejects.toMatchObject({ code: 'DAEMON_NOT_RUNNING' })
})
