import type { BuildOptions } from 'esbuild'

export function bundleSources(entryPoint: string, outfile: string, more?: BuildOptions): Promise<unknown>
