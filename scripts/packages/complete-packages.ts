import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { buildPackages } from './build.mjs'
import { declarationText, type FlatTypes } from './flatten-types.ts'
import { root, type PublishedPackage, type TypedEntryPoint } from './manifest.mjs'
import { readTypes } from './read-types.ts'

/**
 * Adds what only `npm pack` needs to a build: type declarations, which take the compiler seconds, and the license in
 * each tarball. Returns the declarations.
 */
export async function completePackages(
  packages: readonly PublishedPackage[],
): Promise<Map<TypedEntryPoint, FlatTypes>> {
  const workspaces = packages.filter(({ folder }) => folder !== '.')
  await buildPackages(workspaces)
  if (workspaces.length < packages.length) rmSync(join(root, 'dist/types'), { recursive: true, force: true })
  const types = readTypes(packages)
  for (const [entry, flat] of types) {
    const path = join(root, entry.types)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, declarationText(flat))
  }
  for (const { folder } of workspaces) copyFileSync(join(root, 'LICENSE'), join(root, folder, 'LICENSE'))
  return types
}
