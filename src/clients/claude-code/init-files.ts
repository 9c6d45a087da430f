/** The files that `ctxd init` writes for Claude Code. */

import { join } from 'node:path'

import { isJsonObject } from '@contextd/shared/json/value'
import type { JsonEdit } from '@contextd/shared/json/json-edits'
import { settingsPrefix } from '../../core/own-tools.ts'
import { ownFile, personal, type ClientFile } from '../init/client-file.ts'
import { guidance, guidanceFile, ownFileMark } from '../init/guidance.ts'
import { jsonFile } from '../init/json-file.ts'
import type { Layout } from '../init/layout.ts'
import { sectionFile } from '../init/section.ts'
import { withoutUnsafeSettings } from '../init/server-entry.ts'
import { hookConfig } from './hook-config.ts'
import type { DoorSettings } from './init-door.ts'
import { allSettingsEdits, settingsEdits } from './init-settings.ts'
import { skillText } from './init-skill.ts'

export interface ClaudeProject {
  readonly project: string
  readonly layout: Layout
  /** The user's file with the servers for single projects, and the name of this project in it. */
  readonly servers: { readonly file: string; readonly key: string }
}

export interface ClaudeCodeSetup {
  /** A project, or the user's own folders. */
  readonly place:
    | ClaudeProject
    /** `config` is the settings folder, `servers` the file with the MCP servers for all projects. */
    | { readonly config: string; readonly servers: string }
  /** The command line that runs contextd. */
  readonly program: readonly [string, ...string[]]
  readonly mode: 'friendly' | 'strict'
  /** Names of servers that are moved behind the gateway. */
  readonly moved: readonly string[]
  /** Absent if hooks scrub. */
  readonly door?: DoorSettings
  /** The text of a file, if it exists. */
  readonly read: (path: string) => string | undefined
}

const registration = { server: 'contextd', matcherPrefix: settingsPrefix }

export function claudeCodeFiles(setup: ClaudeCodeSetup): ClientFile[] {
  const { place, program, moved } = setup
  if ('project' in place) {
    return [...sharedFiles(place, setup), ...personalFiles(place, setup)]
  }
  return [
    jsonFile(place.servers, 'json', [...moved.map(withoutServer), ourServer(program, false)]),
    withKey(jsonFile(join(place.config, 'settings.json'), 'json', completeSettings(setup)), setup),
    skillFile(place.config),
  ]
}

/**
 * Only for the user: outside the project, or in files that git ignores. Complete even if the team shares files, because
 * a repository could change or remove its own at any time.
 */
function personalFiles({ project, layout, servers }: ClaudeProject, setup: ClaudeCodeSetup): ClientFile[] {
  const { program, moved } = setup
  const folder = join(project, '.claude')
  return [
    // Servers that leave it are the team's.
    ...(moved.length === 0 || layout.kind === 'shared'
      ? []
      : [jsonFile(join(project, '.mcp.json'), 'json', [onlyOthers(moved, layout.kind === 'joined')])]),
    localServer(servers, program),
    personal(withKey(jsonFile(localSettings(project), 'json', completeSettings(setup)), setup)),
    ...(layout.kind === 'personal'
      ? [rulesFile(folder), skillFile(folder)].map((file) => personal(file))
      : []),
  ]
}

/** For everyone who uses the repository. */
function sharedFiles({ project, layout }: ClaudeProject, setup: ClaudeCodeSetup): ClientFile[] {
  if (layout.kind !== 'shared') return []
  const { program, moved, read } = setup
  const folder = join(project, '.claude')
  const hooks = hookConfig({
    ...registration,
    command: [...program, 'hook'],
    // They work with the model door and without it.
    door: false,
    sharing: layout.sharing,
  })
  return [
    jsonFile(join(project, '.mcp.json'), 'json', [...moved.map(withoutServer), ourServer(program, true)]),
    jsonFile(join(folder, 'settings.json'), 'json', settingsEdits({ hooks, isStrict: false })),
    skillFile(folder),
    ...sectionFiles(project, read),
  ]
}

/** Every file that any version of contextd may have written to a project, for removing our part. Some are always personal. */
export function allClaudeFiles({ place, program, read }: ClaudeCodeSetup): ClientFile[] {
  if (!('project' in place)) return []
  const { project, servers } = place
  const folder = join(project, '.claude')
  return [
    jsonFile(join(project, '.mcp.json'), 'json', [noServer]),
    jsonFile(join(folder, 'settings.json'), 'json', allSettingsEdits()),
    localServer(servers, program),
    personal(jsonFile(localSettings(project), 'json', allSettingsEdits())),
    personal(rulesFile(folder)),
    skillFile(folder),
    ...sectionFiles(project, read),
  ]
}

function completeSettings({ program, mode, door }: ClaudeCodeSetup): JsonEdit[] {
  return settingsEdits({
    hooks: hookConfig({ ...registration, command: [...program, 'hook'], door: door !== undefined }),
    isStrict: mode === 'strict',
    // With the door on, requests are scrubbed before the client counts tokens.
    raisesOutputLimit: door === undefined,
    ...(door !== undefined && { door }),
  })
}

function localSettings(project: string): string {
  return join(project, '.claude', 'settings.local.json')
}

function withKey(file: ClientFile, { door }: Pick<ClaudeCodeSetup, 'door'>): ClientFile {
  return door === undefined ? file : { ...file, isPrivate: true }
}

function skillFile(folder: string): ClientFile {
  return ownFile(join(folder, 'skills', 'contextd', 'SKILL.md'), () => skillText, ownFileMark)
}

/** Unlike CLAUDE.local.md, it does not keep the client from reading AGENTS.md. */
function rulesFile(folder: string): ClientFile {
  return guidanceFile(join(folder, 'rules', 'contextd.md'))
}

/** If there is a CLAUDE.md, the client reads AGENTS.md only if it is imported there. */
function sectionFiles(project: string, read: ClaudeCodeSetup['read']): ClientFile[] {
  const claude = join(project, 'CLAUDE.md')
  const text = read(claude)
  const needsOwn = text !== undefined && !/(?:^|\s)@(?:\.\/)?AGENTS\.md\b/.test(text)
  return [
    sectionFile(join(project, 'AGENTS.md'), guidance),
    ...(needsOwn ? [sectionFile(claude, guidance)] : []),
  ]
}

/** As `claude mcp add` writes it: for this user, in this project. */
function localServer(
  { file, key }: ClaudeProject['servers'],
  program: ClaudeCodeSetup['program'],
): ClientFile {
  const edit = ourServer(program, false)
  return jsonFile(file, 'json', [{ ...edit, path: ['projects', key, ...edit.path] }])
}

/** Preserves the user's other settings of the server, such as env or a timeout. */
function ourServer([command, ...args]: readonly [string, ...string[]], isProjects: boolean): JsonEdit {
  return {
    path: ['mcpServers', 'contextd'],
    put(now) {
      const { type: _type, url: _url, headers: _headers, ...rest } = isJsonObject(now) ? now : {}
      const kept = isProjects ? withoutUnsafeSettings(rest, 'env') : rest
      return { ...kept, command, args: [...args, 'mcp', 'serve'] }
    },
    clear: () => undefined,
  }
}

const noServer: JsonEdit = { path: ['mcpServers', 'contextd'], put: () => undefined, clear: () => undefined }

/** An empty list stays: without any, the file would be invalid. */
function onlyOthers(moved: readonly string[], keepsOurs: boolean): JsonEdit {
  const gone = new Set([...moved, ...(keepsOurs ? [] : ['contextd'])])
  return {
    path: ['mcpServers'],
    put: (now) =>
      isJsonObject(now) ? Object.fromEntries(Object.entries(now).filter(([name]) => !gone.has(name))) : now,
    clear: (now) => now,
  }
}

function withoutServer(name: string): JsonEdit {
  return { path: ['mcpServers', name], put: () => undefined, clear: (now) => now }
}
