import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import type { CacheKind } from '../../core/capability.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { cachesIn, useCache, type CacheInUse } from '../../tools/shell/caches/cache-store.ts'
import { cachesCommand } from './caches.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

function cacheOf(kind: CacheKind, agent = 'main', project = home.project): CacheInUse {
  return useCache(cachesIn(resolvePaths(home.env)), { kind, tenant: 'local', project, agent })
}

test('lists caches with their size, and the limit', async () => {
  expect((await home.run(cachesCommand, 'list')).out()).toMatch(/^No caches/)
  const npm = cacheOf('npm')
  writeFileSync(join(npm.mounts[0]!.source, 'x'), Buffer.alloc(3 << 20))
  npm.release()
  cacheOf('go', 'other (declared)')
  const shown = (await home.run(cachesCommand, 'list')).out()
  expect(shown).toMatch(/npm +main +\S+project +4 MB +3 files +\d{4}-/)
  expect(shown).toMatch(/go +other \(declared\) +\S+project +1 MB +\d files +now/)
  expect(shown).toContain('of 10,240 MB (sandbox.caches_mb)')
  const data = JSON.parse((await home.run(cachesCommand, 'list', '--json')).out())
  expect(data).toMatchObject({
    caches: expect.arrayContaining([
      expect.objectContaining({ kind: 'npm', agent: 'main', project: home.project, in_use: false }),
      expect.objectContaining({ kind: 'go', agent: 'other (declared)', in_use: true }),
    ]),
    max_bytes: 10_737_418_240,
  })
  expect(data.bytes).toBeGreaterThan(3 << 20)
})

test('a cache in use is not cleared', async () => {
  cacheOf('npm')
  const { out } = await home.run(cachesCommand, 'clear')
  expect(out()).toBe('Removed 0 caches.\nNot removed: 1 cache that a command uses.\n')
  expect((await home.run(cachesCommand, 'list')).out()).toMatch(/npm +main/)
})

test.runIf(sandboxHere)('clears the chosen ones', async () => {
  const chosen = [
    ['npm', 'main', home.project],
    ['npm', 'main (declared)', home.project],
    ['pip', 'main', home.project],
    ['npm', 'mainly', home.project],
    ['npm', 'main', '/gone'],
  ] as const
  for (const [kind, agent, project] of chosen) cacheOf(kind, agent, project).release()
  const options = ['--kind', 'npm', '--agent', 'main', '--project', home.project]
  const { out } = await home.run(cachesCommand, 'clear', ...options, '--json')
  const removed = [chosen[0], chosen[1]].map(([kind, agent, project]) => ({ kind, agent, project }))
  expect(JSON.parse(out())).toEqual({ removed: expect.arrayContaining(removed), left: [] })
  const { caches } = JSON.parse((await home.run(cachesCommand, 'list', '--json')).out())
  expect(caches).toHaveLength(3)
  expect((await home.run(cachesCommand, 'clear', '--project', '/gone')).out()).toBe('Removed 1 cache.\n')
  expect((await home.run(cachesCommand, 'clear')).out()).toBe('Removed 2 caches.\n')
})
