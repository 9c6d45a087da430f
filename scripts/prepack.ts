// node scripts/run-ts.mjs scripts/prepack.ts FOLDER: completes a package for `npm pack`; `.` is contextd itself.
import { completePackages } from './packages/complete-packages.ts'
import { readPackage } from './packages/manifest.mjs'

const [folder = '.'] = process.argv.slice(2)
await completePackages([readPackage(folder)])
