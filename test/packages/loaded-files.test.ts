/** What the entry points load, as bundled. */

import { describe, expect, test } from 'vitest'

import { bundlePackage } from '../../scripts/packages/build.mjs'
import { readPackage, workspacePackages, type PublishedPackage } from '../../scripts/packages/manifest.mjs'
import { loadedBy } from '../../scripts/packages/report.ts'

async function loadedIn(one: PublishedPackage): Promise<Map<string, ReturnType<typeof loadedBy>>> {
  const { metafile } = await bundlePackage(one)
  return new Map(
    [...one.entries, ...one.programs].map((entry) => [entry.specifier, loadedBy(entry, metafile)]),
  )
}

describe('createScrubber', async () => {
  const { atImport, later } = (await loadedIn(readPackage('packages/scrub'))).get('@contextd/scrub')!

  test('loads nothing of contextd, and no other package', () => {
    const outside = atImport.modules.filter((path) => !/^packages\/(?:scrub|shared)\/src\//.test(path))
    expect(outside).toEqual([])
    expect([...atImport.packages]).toEqual([])
    expect([...later.packages, ...later.modules]).toEqual([])
  })

  test('loads the engine and its rules, without commands, scans and the gitleaks format', () => {
    expect(atImport.modules).toContain('packages/scrub/src/engine/scrubber.ts')
    expect(atImport.modules).toContain('packages/scrub/src/rules/index.ts')
    expect(atImport.modules.filter((path) => /\/(?:cli|scan|gitleaks|explain)\//.test(path))).toEqual([])
    expect(atImport.modules.length).toBeLessThan(100)
  })
})

test.each(workspacePackages())('$name needs exactly the packages that it declares', async (one) => {
  const used = new Set<string>()
  for (const { atImport, later } of (await loadedIn(one)).values())
    for (const name of [...atImport.packages, ...later.packages]) used.add(name)
  expect([...used].sort()).toEqual([...one.dependencies].sort())
})
