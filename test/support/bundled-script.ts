import { rmSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'

import { bundleSources } from '../../scripts/bundle-sources.mjs'

export interface BundledScript {
  readonly path: string
  remove(): void
}

/** Bundles one of our scripts, given relative to the repository, into a file that every supported Node can run. */
export async function bundleScript(source: string): Promise<BundledScript> {
  // Below node_modules, packages resolve as usual; the process id keeps concurrent runs apart.
  const path = resolve(join('node_modules', '.cache', 'contextd', `${parse(source).name}-${process.pid}.mjs`))
  await bundleSources(resolve(source), path)
  return { path, remove: () => rmSync(path, { force: true }) }
}
