/** The files that `ctxd init` writes for OpenCode. */

import { basename, join } from 'node:path'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { ownFile, personal, type ClientFile } from '../init/client-file.ts'
import { declaration, guidance, guidanceFile } from '../init/guidance.ts'
import { jsonFile } from '../init/json-file.ts'
import { withItems, type JsonEdit } from '@contextd/shared/json/json-edits'
import { absence, type Layout, type Sharing } from '../init/layout.ts'
import { sectionFile } from '../init/section.ts'
import { withoutUnsafeSettings } from '../init/server-entry.ts'

export interface OpenCodeInit {
  /** A project, or the user's own OpenCode folder. */
  readonly place: OpenCodeProject | { readonly config: string }
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

export interface OpenCodeProject {
  readonly project: string
  readonly layout: Layout
  /** The client reads the configuration in `.opencode` after the project's own. */
  readonly ownConfig: string
}

const fresh = { $schema: 'https://opencode.ai/config.json' }

export function openCodeFiles(setup: OpenCodeInit): ClientFile[] {
  const { place, program, mode, moved, agentFiles, config } = setup
  const agents = agentFiles.map((path) => sectionFile(path, declaration(basename(path, '.md'))))
  const strict = mode === 'strict' ? [denyBuiltins] : []
  const without = moved.map(withoutServer)
  if (!('project' in place)) {
    return [
      jsonFile(config, 'jsonc', [...without, ourServer(program, false), ...strict], fresh),
      pluginFile(place.config, setup),
      sectionFile(join(place.config, 'AGENTS.md'), guidance),
      ...agents,
    ]
  }
  const { project, layout, ownConfig } = place
  const folder = join(project, '.opencode')
  const own = (edits: readonly JsonEdit[]): ClientFile[] =>
    edits.length === 0 ? [] : [personal(jsonFile(ownConfig, 'jsonc', edits, fresh))]
  switch (layout.kind) {
    case 'personal':
      return [
        // Servers that leave it are the team's.
        ...(moved.length === 0 ? [] : [jsonFile(config, 'jsonc', [...without, noServer])]),
        ...own([ourServer(program, false), ...strict, ourInstructions]),
        personal(pluginFile(folder, setup)),
        personal(guidanceFile(join(folder, guidanceName))),
        ...agents,
      ]
    case 'shared':
      return [
        jsonFile(config, 'jsonc', [...without, ourServer(program, true)], fresh),
        pluginFile(folder, setup),
        sectionFile(join(project, 'AGENTS.md'), guidance),
        ...own(strict),
        ...agents,
      ]
    case 'joined':
      return [...own(strict), ...agents]
  }
}

/** Every file that any version of contextd may have written to a project, for removing our part. Some are always personal. */
export function allOpenCodeFiles(setup: OpenCodeInit): ClientFile[] {
  const { place, agentFiles, config } = setup
  if (!('project' in place)) return []
  const folder = join(place.project, '.opencode')
  return [
    jsonFile(config, 'jsonc', [noServer]),
    personal(jsonFile(place.ownConfig, 'jsonc', [noServer, denyBuiltins, ourInstructions])),
    pluginFile(folder, setup),
    personal(guidanceFile(join(folder, guidanceName))),
    sectionFile(join(place.project, 'AGENTS.md'), guidance),
    ...agentFiles.map((path) => sectionFile(path, declaration(basename(path, '.md')))),
  ]
}

const guidanceName = 'contextd.md'

/** The client reads the instructions of all configuration files, with paths that start in the project. */
const ourInstructions: JsonEdit = {
  path: ['instructions'],
  put: (now, path) => withItems(now, path, [`.opencode/${guidanceName}`], (item) => item),
  clear(now, path) {
    const left = withItems(now, path, [], (item) => (item === `.opencode/${guidanceName}` ? undefined : item))
    return left.length === 0 ? undefined : left
  },
}

function pluginFile(folder: string, setup: OpenCodeInit): ClientFile {
  return ownFile(join(folder, 'plugin', 'contextd.js'), () => pluginFor(setup.plugin(), setup), pluginMark)
}

/** In every version of our plugin, and in nobody else's. */
const pluginMark = 'contextd for OpenCode'

/** The lines of the plugin that differ per machine and per project. */
const constants = {
  PROGRAM: /^const PROGRAM = [^\n]*$/m,
  DOOR: /^const DOOR = [^\n]*$/m,
  ABSENT: /^const ABSENT = [^\n]*$/m,
}

/** The shipped plugin, with this machine's command line, the model door, and what to do where contextd is missing. */
export function pluginFor(
  shipped: string,
  { program, door, place }: Pick<OpenCodeInit, 'program' | 'door'> & Partial<Pick<OpenCodeInit, 'place'>>,
): string {
  const layout = place !== undefined && 'project' in place ? place.layout : undefined
  const values: Readonly<Record<keyof typeof constants, Json>> = {
    PROGRAM: [...program],
    DOOR: door,
    ABSENT: layout?.kind === 'shared' ? absentWords(layout.sharing) : null,
  }
  return Object.entries(values).reduce((text, [name, value]) => {
    const line = constants[name as keyof typeof constants]
    if (!line.test(text)) throw new Error(`The plugin lacks the line that sets ${name}`)
    return text.replace(line, () => `const ${name} = ${JSON.stringify(value)}`)
  }, shipped)
}

/** `works`: what the session says where contextd was never used. `refuses`: what tools say elsewhere. */
function absentWords(sharing: Sharing): JsonObject {
  return sharing === 'required'
    ? { refuses: absence.required }
    : { works: absence.optional, refuses: absence.missing }
}

/** How a plugin is shared; undefined if it is not exactly one that this version shares. */
export function sharingOfPlugin(text: string | undefined, shipped: () => string): Sharing | undefined {
  if (text === undefined) return undefined
  const project = { project: '', ownConfig: '' }
  return (['optional', 'required'] as const).find((sharing) =>
    [true, false].some((door) => {
      const place = { ...project, layout: { kind: 'shared', sharing } as const }
      return text === pluginFor(shipped(), { program: ['contextd'], door, place })
    }),
  )
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

const noServer: JsonEdit = { path: ['mcp', 'contextd'], put: () => undefined, clear: () => undefined }

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
