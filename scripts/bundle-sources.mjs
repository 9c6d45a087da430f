import { build } from 'esbuild'

/** Bundles our sources into one file that Node runs from inside the repository; other packages remain imports. */
export function bundleSources(entryPoint, outfile, more = {}) {
  return build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    conditions: ['contextd-source'],
    plugins: [{ name: 'external-packages', setup: externalizePackages }],
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
    ...more,
  })
}

function externalizePackages({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@contextd/') ? undefined : { path, external: true },
  )
}
