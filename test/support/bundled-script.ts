import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface BundledScript {
  readonly path: string
  remove(): void
}

/** A script of ours as one file that every supported Node can run as a process of its own. */
export async function bundleScript(source: string): Promise<BundledScript> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-script-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const path = join(folder, 'script.mjs')
  await build({
    entryPoints: [join(root, source)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
