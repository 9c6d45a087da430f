import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const version = '12.0.0'

interface SecretlintCore {
  lintSource(request: {
    source: { content: string; filePath: string; ext: string; contentType: 'text' }
    options: { config: { rules: readonly { id: string; rule: unknown }[] } }
  }): Promise<{ messages: readonly unknown[] }>
}

interface SecretlintPreset {
  creator: unknown
}

/** MB/s of secretlint with its recommended rules, in this process. */
export async function secretlintSpeed(pieces: readonly string[], rounds: number): Promise<number> {
  const id = '@secretlint/secretlint-rule-preset-recommend'
  const core = (await importTool('@secretlint/core')) as SecretlintCore
  const { creator } = (await importTool(id)) as SecretlintPreset
  const options = { config: { rules: [{ id, rule: creator }] } }
  const characters = pieces.reduce((sum, piece) => sum + piece.length, 0)
  let best = Infinity
  for (let round = 0; round <= rounds; round += 1) {
    const before = process.cpuUsage()
    for (const content of pieces) {
      await core.lintSource({
        source: { content, filePath: 'output.txt', ext: '.txt', contentType: 'text' },
        options,
      })
    }
    const { user, system } = process.cpuUsage(before)
    // The first round warms up.
    if (round > 0) best = Math.min(best, (user + system) / 1000)
  }
  return characters / 1000 / best
}

/** Loaded from the tool cache: it must not be bundled with the benchmark. */
async function importTool(name: string): Promise<unknown> {
  const cache = (await import(pathToFileURL(resolve('scripts/tool-cache.mjs')).href)) as {
    installTool(name: string, version: string): string
  }
  const folder = join(cache.installTool(name, version), 'node_modules', name)
  return import(pathToFileURL(join(folder, 'module', 'index.js')).href)
}
