// node scripts/packages/build.mjs: bundles the entry points and programs of each package into its dist/.
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { writeChanged } from '../write-changed.mjs'
import { root, workspacePackages } from './manifest.mjs'

/**
 * Code of the private package is bundled; dependencies remain imports. Not minified, because users review what scans
 * their secrets.
 */
export function bundlePackage({ folder, entries, programs }, more = {}) {
  return build({
    absWorkingDir: root,
    entryPoints: [...entries, ...programs].map(({ source, output }) => ({
      in: source,
      out: relative(join(folder, 'dist'), output).replace(/\.js$/, ''),
    })),
    outdir: join(folder, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['contextd-source'],
    plugins: [{ name: 'dependencies', setup: externalizeDependencies }],
    metafile: true,
    write: false,
    logLevel: 'warning',
    ...more,
  })
}

function externalizeDependencies({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@contextd/shared/') ? undefined : { path, external: true },
  )
}

export async function buildPackages(packages = workspacePackages()) {
  for (const one of packages) {
    const { outputFiles } = await bundlePackage(one)
    const dist = join(root, one.folder, 'dist')
    const written = new Set(outputFiles.map(({ path }) => relative(dist, path)))
    for (const { path, contents } of outputFiles) {
      mkdirSync(dirname(path), { recursive: true })
      writeChanged(path, contents)
    }
    for (const { output } of one.programs) chmodSync(join(root, output), 0o755)
    for (const name of readdirSync(dist, { recursive: true })) {
      if (/\.(?:d\.ts|js)$/.test(name) && !written.has(name)) rmSync(join(dist, name))
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackages()
