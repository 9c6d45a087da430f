import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

import type { JsonObject } from '@contextd/shared/json/value'
import { pluginFolder } from './claude-code.ts'
import type { Place } from './client-run.ts'

interface HookFile {
  hooks: Record<string, { hooks: JsonObject[] }[]>
}

/** Where a test has a copy of the plugin that it may change, below the root of its place. */
const copy = 'clone/integrations/claude-code'

function copyPlugin(place: Place): readonly string[] {
  const folder = join(place.root, copy)
  cpSync(pluginFolder, folder, { recursive: true })
  for (const name of ['bin', 'dist', 'scripts']) symlinkSync(resolve(name), join(place.root, 'clone', name))
  return ['--plugin-dir', folder]
}

/** The plugin with attestation but without what protects and scrubs: what leaks there shows that a probe would notice. */
export function pluginWithoutGuards(place: Place): readonly string[] {
  const args = copyPlugin(place)
  const file = `${copy}/hooks/hooks.json`
  const { hooks } = JSON.parse(readFileSync(join(place.root, file), 'utf8')) as HookFile
  for (const group of Object.values(hooks).flat()) {
    group.hooks = group.hooks.filter((hook) => !isGuard(hook))
  }
  place.write(file, { hooks })
  return args
}

/** The plugin with a client that asks for the data of every answer, as a program would, and shows it to the model. */
export function pluginThatAsksForData(place: Place): readonly string[] {
  const args = copyPlugin(place)
  const start = [resolve('test/clients/ask-for-data.mjs'), '${CLAUDE_PLUGIN_ROOT}/server/start.mjs']
  place.write(`${copy}/.mcp.json`, { mcpServers: { contextd: { command: 'node', args: start } } })
  return args
}

function isGuard({ args }: JsonObject): boolean {
  return Array.isArray(args) && args.includes('hook')
}
