import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The path of a program from npm, installed in the tool cache if missing. */
export async function foreignProgram(name: string, version: string, file: string): Promise<string> {
  // Not bundled with the benchmark: it locates its folder relative to itself.
  const cache = (await import(pathToFileURL(resolve('scripts/tool-cache.mjs')).href)) as {
    installTool(name: string, version: string): string
  }
  return join(cache.installTool(name, version), 'node_modules', name, file)
}
