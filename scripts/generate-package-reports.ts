// Writes the reports about the public API and the size of each package to etc/api/.
import { mkdirSync, writeFileSync } from 'node:fs'

import { publishedPackages } from './packages/manifest.mjs'
import { packageReports } from './packages/package-reports.ts'
import { readTypes } from './packages/read-types.ts'

const packages = publishedPackages()
mkdirSync('etc/api', { recursive: true })
for (const [path, text] of await packageReports(packages, readTypes(packages))) writeFileSync(path, text)
