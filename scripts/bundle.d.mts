import type { BuildOptions, BuildResult } from 'esbuild'

export function bundle<More extends BuildOptions>(
  entryPoints: BuildOptions['entryPoints'],
  outdir: string,
  more?: More,
): Promise<BuildResult<More>>
