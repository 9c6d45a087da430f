import { rmSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'

import { bundleSources } from '../../scripts/bundle-sources.mjs'

export interface BundledScript {
  readonly path: string
  remove(): void
}

/** A script of ours, named from the project's folder, as one file that every supported Node can run. */
export async function bundleScript(source: string): Promise<BundledScript> {
  // Below node_modules, where the packages are found as usual; the process id keeps two runs at once apart.
  const path = resolve(join('node_modules', '.cache', 'contextd', `${parse(source).name}-${process.pid}.mjs`))
  await bundleSources(resolve(source), path)
  return { path, remove: () => rmSync(path, { force: true }) }
}
