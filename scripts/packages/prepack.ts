// node scripts/run-ts.mjs scripts/packages/prepack.ts FOLDER...: completes packages for `npm pack`, which `npm run build`
// need not do: type declarations, and the license that each tarball contains. `.` is contextd itself.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { buildPackages } from './build.mjs'
import { declarationText } from './flatten-types.ts'
import { readPackage, root } from './manifest.mjs'
import { readTypes } from './read-types.ts'

const packages = process.argv.slice(2).map((folder) => readPackage(folder === '.' ? '' : folder))

const workspaces = packages.filter(({ folder }) => folder !== '')
await buildPackages(workspaces)
for (const [{ types }, flat] of readTypes(packages)) {
  const path = join(root, types)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, declarationText(flat))
}
for (const { folder } of workspaces) copyFileSync(join(root, 'LICENSE'), join(root, folder, 'LICENSE'))
