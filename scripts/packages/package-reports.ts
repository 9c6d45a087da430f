import { bundle } from '../bundle.mjs'
import { bundlePackage } from './build.mjs'
import { publishedPackages, root, type PublishedPackage } from './manifest.mjs'
import { readTypes } from './read-types.ts'
import { packageReport } from './report.ts'

/** The text of each report, by its path. */
export async function packageReports(): Promise<Map<string, string>> {
  const packages = publishedPackages()
  const types = readTypes(packages)
  const reports = new Map<string, string>()
  for (const one of packages) {
    const { metafile } = await bundled(one)
    reports.set(`etc/api/${one.name.replace(/^@.*\//, '')}.md`, packageReport(one, types, metafile))
  }
  return reports
}

async function bundled(one: PublishedPackage): ReturnType<typeof bundlePackage> {
  return one.folder === ''
    ? bundle({ index: one.entries[0]!.source }, 'dist', {
        absWorkingDir: root,
        metafile: true,
        write: false,
      })
    : bundlePackage(one)
}
