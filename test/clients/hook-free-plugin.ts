import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

import type { JsonObject } from '@contextd/shared/json/value'
import { pluginFolder } from './claude-code.ts'
import type { Place } from './client-run.ts'

interface HookFile {
  hooks: Record<string, { hooks: JsonObject[] }[]>
}

/** The plugin with attestation but without what protects and scrubs: what leaks there shows that a probe would notice. */
export function pluginWithoutGuards(place: Place): readonly string[] {
  const path = 'clone/integrations/claude-code'
  const folder = join(place.root, path)
  cpSync(pluginFolder, folder, { recursive: true })
  for (const name of ['bin', 'dist', 'scripts']) symlinkSync(resolve(name), join(place.root, 'clone', name))
  const file = `${path}/hooks/hooks.json`
  const { hooks } = JSON.parse(readFileSync(join(place.root, file), 'utf8')) as HookFile
  for (const group of Object.values(hooks).flat()) {
    group.hooks = group.hooks.filter((hook) => !isGuard(hook))
  }
  place.write(file, { hooks })
  return ['--plugin-dir', folder]
}

function isGuard({ args }: JsonObject): boolean {
  return Array.isArray(args) && args.includes('hook')
}
