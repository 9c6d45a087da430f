/** The files that `ctxd init` writes for OpenCode. */

import { basename, join } from 'node:path'

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { ownFile, type ClientFile } from '../init/client-file.ts'
import { declaration, guidance } from '../init/guidance.ts'
import { jsonFile } from '../init/json-file.ts'
import type { JsonEdit } from '@contextd/shared/json/json-edits'
import { sectionFile } from '../init/section.ts'
import { withoutUnsafeSettings } from '../init/server-entry.ts'

export interface OpenCodeInit {
  /** A project, or the user's own OpenCode folder. */
  readonly place: { readonly project: string } | { readonly config: string }
  readonly program: readonly [string, ...string[]]
  readonly mode: 'friendly' | 'strict'
  readonly moved: readonly string[]
  /** Whether model requests go through contextd. */
  readonly door: boolean
  /** The plugin as shipped. */
  readonly plugin: () => string
  /** Agent files to which a declaration of the agent is added. */
  readonly agentFiles: readonly string[]
  /** The client reads `opencode.json` and `opencode.jsonc`; both may have comments. */
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

/** In every version of our plugin, and in nobody else's. */
const pluginMark = 'contextd for OpenCode'

const programLine = /^const PROGRAM = \[.*\]$/m
const doorLine = /^const DOOR = (?:true|false)$/m

/** The shipped plugin, with this machine's command line for contextd and whether the model door is used. */
export function pluginFor(shipped: string, program: readonly string[], door: boolean): string {
  if (!programLine.test(shipped) || !doorLine.test(shipped)) {
    throw new Error('The plugin lacks the line that sets PROGRAM or DOOR')
  }
  return shipped
    .replace(programLine, () => `const PROGRAM = ${JSON.stringify(program)}`)
    .replace(doorLine, `const DOOR = ${door}`)
}

function ourServer(program: readonly string[], isProjects: boolean): JsonEdit {
  return {
    path: ['mcp', 'contextd'],
    put(now) {
      const { url: _url, headers: _headers, oauth: _oauth, ...rest } = isJsonObject(now) ? now : {}
      const kept = isProjects ? withoutUnsafeSettings(rest, 'environment') : rest
      return { ...kept, type: 'local', command: [...program, 'mcp', 'serve'], enabled: true }
    },
    clear: () => undefined,
  }
}

function withoutServer(name: string): JsonEdit {
  return { path: ['mcp', name], put: () => undefined, clear: (now) => now }
}

/** `edit` covers writing; `glob` and `grep` would also reveal file contents. */
const builtins = ['bash', 'edit', 'glob', 'grep', 'list', 'read']

/**
 * A single value for all tools is the same as that value for `*`. Denials cannot be told apart from the user's own,
 * so none are removed.
 */
const denyBuiltins: JsonEdit = {
  path: ['permission'],
  put(now) {
    const rules: { [key: string]: Json } =
      typeof now === 'string' ? { '*': now } : isJsonObject(now) ? now : {}
    // The last matching rule applies.
    const others = Object.entries(rules).filter(([tool]) => !builtins.includes(tool))
    return Object.fromEntries([...others, ...builtins.map((tool): [string, Json] => [tool, 'deny'])])
  },
  clear: (now) => now,
}
