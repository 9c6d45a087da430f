// The public entry points and programs of each package, read from its package.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Not from `import.meta.url`: scripts that import this file are bundled and run from another folder. */
export const root = process.cwd()

export function readPackage(folder) {
  const {
    name,
    exports,
    bin,
    dependencies = {},
  } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const entries = Object.entries(exports).flatMap(([subpath, targets]) => {
    // Subpaths without a default exist for our own builds and tests only.
    if (typeof targets === 'string' || targets.default === undefined) return []
    const { types, default: output, 'contextd-source': source = './src/index.ts' } = targets
    return [
      {
        specifier: join(name, subpath),
        source: join(folder, source),
        output: join(folder, output),
        types: join(folder, types),
      },
    ]
  })
  const programs = Object.entries(bin).map(([program, output]) => ({
    specifier: program,
    source: join(folder, `src/cli/${program}.ts`),
    output: join(folder, output),
  }))
  return { name, folder, dependencies: Object.keys(dependencies), entries, programs }
}

export const workspacePackages = () => ['packages/scrub', 'packages/permissions'].map(readPackage)

export const publishedPackages = () => [readPackage('.'), ...workspacePackages()]
