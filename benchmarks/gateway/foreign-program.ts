import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The path of a program from npm, installed beside us where it is not yet. */
export async function foreignProgram(name: string, version: string, file: string): Promise<string> {
  // Not bundled with the benchmark: it finds its folder from where it stands itself.
  const cache = (await import(pathToFileURL(resolve('scripts/tool-cache.mjs')).href)) as {
    installTool(name: string, version: string): string
  }
  return join(cache.installTool(name, version), 'node_modules', name, file)
}
