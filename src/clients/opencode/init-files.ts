/** What `contextd init` writes for OpenCode. */

import { basename, join } from 'node:path'

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { ownFile, type ClientFile } from '../init/client-file.ts'
import { declaration, guidance } from '../init/guidance.ts'
import { jsonFile } from '../init/json-file.ts'
import type { JsonEdit } from '@contextd/shared/json/json-edits'
import { sectionFile } from '../init/section.ts'
import { withoutSteering } from '../init/server-entry.ts'
import { pluginFor, pluginMark } from './init-plugin.ts'

export interface OpenCodeInit {
  /** A project, or the person's own folder for OpenCode. */
  readonly place: { readonly project: string } | { readonly config: string }
  readonly program: readonly [string, ...string[]]
  readonly mode: 'friendly' | 'strict'
  readonly moved: readonly string[]
  /** Requests to models go through contextd. */
  readonly door: boolean
  /** The plugin as we ship it. */
  readonly plugin: () => string
  /** Files of agents that should say who they are. */
  readonly agentFiles: readonly string[]
  /** The client reads `opencode.json` and `opencode.jsonc`; comments are welcome in either. */
  readonly config: string
}

export function openCodeFiles(setup: OpenCodeInit): ClientFile[] {
  const { place, program, mode, moved, door, plugin, agentFiles, config } = setup
  const isProject = 'project' in place
  const folder = isProject ? place.project : place.config
  const wishes = [
    ...moved.map(withoutServer),
    ourServer(program, isProject),
    ...(mode === 'strict' ? [denyBuiltins] : []),
  ]
  return [
    jsonFile(config, 'jsonc', wishes, { $schema: 'https://opencode.ai/config.json' }),
    ownFile(
      join(isProject ? join(folder, '.opencode') : folder, 'plugin', 'contextd.js'),
      () => pluginFor(plugin(), program, door),
      pluginMark,
    ),
    sectionFile(join(folder, 'AGENTS.md'), guidance),
    ...agentFiles.map((path) => sectionFile(path, declaration(basename(path, '.md')))),
  ]
}

function ourServer(program: readonly string[], isProjects: boolean): JsonEdit {
  return {
    path: ['mcp', 'contextd'],
    put(now) {
      const { url: _url, headers: _headers, oauth: _oauth, ...rest } = isJsonObject(now) ? now : {}
      const kept = isProjects ? withoutSteering(rest, 'environment') : rest
      return { ...kept, type: 'local', command: [...program, 'mcp', 'serve'], enabled: true }
    },
    clear: () => undefined,
  }
}

function withoutServer(name: string): JsonEdit {
  return { path: ['mcp', name], put: () => undefined, clear: (now) => now }
}

/** `edit` is for writing too; `glob` and `grep` would still show what is in files. */
const builtins = ['bash', 'edit', 'glob', 'grep', 'list', 'read']

/** One word for all tools is the same as that word for `*`. What the person denied before is theirs: nothing is cleared. */
const denyBuiltins: JsonEdit = {
  path: ['permission'],
  put(now) {
    const rules: { [key: string]: Json } =
      typeof now === 'string' ? { '*': now } : isJsonObject(now) ? now : {}
    // The last rule that fits decides.
    const others = Object.entries(rules).filter(([tool]) => !builtins.includes(tool))
    return Object.fromEntries([...others, ...builtins.map((tool): [string, Json] => [tool, 'deny'])])
  },
  clear: (now) => now,
}
