import type { BuildResult } from 'esbuild'

import type { PublishedPackage } from './manifest.mjs'

export function bundlePackage(one: PublishedPackage): Promise<BuildResult<{ metafile: true; write: false }>>
export function buildPackages(packages?: readonly PublishedPackage[]): Promise<void>
