import { bundle } from '../bundle.mjs'
import { bundlePackage } from './build.mjs'
import type { FlatTypes } from './flatten-types.ts'
import { root, type PublishedPackage, type TypedEntryPoint } from './manifest.mjs'
import { packageReport } from './report.ts'

/** The text of each report, by its path. */
export async function packageReports(
  packages: readonly PublishedPackage[],
  types: ReadonlyMap<TypedEntryPoint, FlatTypes>,
): Promise<Map<string, string>> {
  const reports = new Map<string, string>()
  for (const one of packages) {
    const { metafile } = await bundled(one)
    reports.set(`etc/api/${one.name.replace(/^@.*\//, '')}.md`, packageReport(one, types, metafile))
  }
  return reports
}

async function bundled(one: PublishedPackage): ReturnType<typeof bundlePackage> {
  if (one.folder !== '.') return bundlePackage(one)
  const [{ source }] = one.entries as [TypedEntryPoint]
  return bundle({ index: source }, 'dist', { absWorkingDir: root, metafile: true, write: false })
}
