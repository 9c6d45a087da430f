/** Which files of which clients `ctxd init` writes, and where. */

import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { doorFiles, type DoorSettings } from '../../../clients/claude-code/init-door.ts'
import {
  allClaudeFiles,
  claudeCodeFiles,
  type ClaudeCodeSetup,
} from '../../../clients/claude-code/init-files.ts'
import { readSettingsObject } from '../../../clients/claude-code/settings-variables.ts'
import { sharingIn } from '../../../clients/claude-code/shared-hooks.ts'
import type { Platform } from '../../../clients/find-clients.ts'
import type { ClientFile } from '../../../clients/init/client-file.ts'
import type { Layout, Sharing } from '../../../clients/init/layout.ts'
import {
  allOpenCodeFiles,
  openCodeFiles,
  sharingOfPlugin,
  type OpenCodeInit,
} from '../../../clients/opencode/init-files.ts'
import { toolLinkFiles } from '../../../clients/tool-links/link-files.ts'
import { isExecutable } from '@contextd/shared/executable'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import { readSmallText } from '@contextd/shared/files/small-file'
import { findGitFolder } from '../../../platform/files/git-folder.ts'
import { readFileText, unusable } from '@contextd/shared/changes/change'
import { proxyProgram, shippedFile } from './program.ts'

export interface InitSetup {
  readonly env: NodeJS.ProcessEnv
  /** The project; undefined for the user's own folders. */
  readonly project: string | undefined
  readonly program: readonly [string, ...string[]]
  readonly mode: 'friendly' | 'strict'
  readonly declareAgents: boolean
  /** Where the files of a project go. */
  readonly layout: (platform: Platform) => Layout
  /** Files in the undo journal. */
  readonly known: ReadonlySet<string>
  /** Servers to move behind the gateway, by the client's file that configures them. */
  readonly moved: (path: string) => readonly string[]
  /** How Claude Code reaches the model door; absent if hooks scrub. */
  readonly door?: DoorSettings
  /** Whether OpenCode uses the model door: its plugin looks up the address when it starts. */
  readonly openCodeDoor: boolean
}

/** Where a client configures its MCP servers. */
export function serversFileOf(platform: Platform, setup: Pick<InitSetup, 'env' | 'project'>): string {
  const { claude, openCode } = foldersOf(setup)
  switch (platform) {
    case 'claude-code':
      return claude.servers
    case 'opencode': {
      const commented = join(openCode, 'opencode.jsonc')
      const plain = join(openCode, 'opencode.json')
      return !existsSync(plain) && existsSync(commented) ? commented : plain
    }
  }
}

/** Claude Code settings for all projects of the user. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  return join(foldersOf({ env, project: undefined }).claude.config, 'settings.json')
}

/** Finds what an earlier run wrote, whatever the key. */
export const anyDoor: DoorSettings = { url: '' }

/** Only what routes Claude Code through the model door. */
export function claudeDoorFiles(setup: Pick<InitSetup, 'env' | 'project'>, door: DoorSettings): ClientFile[] {
  const place = setup.project === undefined ? foldersOf(setup).claude : { project: setup.project }
  return doorFiles(place, door)
}

/** The tools as executables, in Claude Code's folder because agents search it for tools. */
export function toolFiles(setup: Pick<InitSetup, 'env' | 'project'>): ClientFile[] {
  const program = proxyProgram(setup.env.PATH ?? '')
  if (!isExecutable(program)) throw unusable(program, 'is not executable')
  return toolLinkFiles(foldersOf(setup).claude.config, program)
}

export function clientFilesOf(platform: Platform, setup: InitSetup): ClientFile[] {
  const moved = setup.moved(serversFileOf(platform, setup))
  switch (platform) {
    case 'claude-code':
      return claudeCodeFiles(claudeCodeSetup(setup, moved))
    case 'opencode':
      return openCodeFiles(openCodeSetup(setup, moved))
  }
}

/** Every file that any version of contextd may have written for the client to a project. */
export function allFilesOf(platform: Platform, setup: InitSetup): ClientFile[] {
  switch (platform) {
    case 'claude-code':
      return allClaudeFiles(claudeCodeSetup(setup, []))
    case 'opencode':
      return allOpenCodeFiles(openCodeSetup({ ...setup, declareAgents: true }, []))
  }
}

function claudeCodeSetup(setup: InitSetup, moved: readonly string[]): ClaudeCodeSetup {
  const { env, project, program, mode, door } = setup
  const { claude } = foldersOf({ env, project: undefined })
  return {
    place:
      project === undefined
        ? claude
        : {
            project,
            layout: setup.layout('claude-code'),
            servers: { file: claude.servers, key: claudeProjectKey(project) },
          },
    program,
    mode,
    moved,
    ...(door && { door }),
    read: (path) => readFileText(path, project),
  }
}

function openCodeSetup(setup: InitSetup, moved: readonly string[]): OpenCodeInit {
  const { project, program, mode } = setup
  const { openCode } = foldersOf(setup)
  const agents = join(openCode, ...(project === undefined ? [] : ['.opencode']), 'agent')
  return {
    place:
      project === undefined
        ? { config: openCode }
        : { project, layout: setup.layout('opencode'), ownConfig: ownOpenCodeConfig(project, setup.known) },
    program,
    mode,
    moved,
    door: setup.openCodeDoor,
    plugin: shippedPlugin,
    agentFiles: setup.declareAgents ? markdownIn(agents) : [],
    config: serversFileOf('opencode', setup),
  }
}

/** The repository: its subfolders and work trees have the same servers. */
function claudeProjectKey(project: string): string {
  const common = findGitFolder(project)?.common
  return common === undefined ? (nearestRepository(project) ?? project) : dirname(common)
}

/** The client reads both files, so the one that the team may have stays as it is. */
function ownOpenCodeConfig(project: string, known: ReadonlySet<string>): string {
  const files = ['opencode.json', 'opencode.jsonc'].map((name) => join(project, '.opencode', name))
  const isOurs = (file: string): boolean =>
    known.has(file) || (readFileText(file, project) ?? '').includes('"contextd"')
  const [first = ''] = files
  return files.find(isOurs) ?? files.find((file) => !existsSync(file)) ?? first
}

/** Whether a client that was set up earlier reads our section of AGENTS.md. */
export function usesSections(platform: Platform, project: string): boolean {
  const textOf = (...names: string[]): string => readSmallText(join(project, ...names)) ?? ''
  switch (platform) {
    case 'claude-code':
      return /contextd(?:\.js)?['"]?[,\s]+"?hook/.test(textOf('.claude', 'settings.json'))
    case 'opencode':
      return textOf('.opencode', 'plugin', 'contextd.js') !== '' && textOf('.opencode', 'contextd.md') === ''
  }
}

/** How a client's files in a project are shared already; undefined if they are not. */
export function sharingOf(platform: Platform, project: string): Sharing | undefined {
  switch (platform) {
    case 'claude-code':
      return sharingIn(readSettingsObject(join(project, '.claude', 'settings.json')))
    case 'opencode':
      return sharingOfPlugin(
        readSmallText(join(project, '.opencode', 'plugin', 'contextd.js')),
        shippedPlugin,
      )
  }
}

function shippedPlugin(): string {
  const path = shippedFile('integrations/opencode/contextd.js')
  const text = readFileText(path)
  if (text === undefined) throw unusable(path, 'is missing: the contextd installation is incomplete')
  return text
}

function foldersOf({ env, project }: Pick<InitSetup, 'env' | 'project'>): {
  claude: { config: string; servers: string }
  openCode: string
} {
  if (project !== undefined) {
    const claude = { config: join(project, '.claude'), servers: join(project, '.mcp.json') }
    return { claude, openCode: project }
  }
  const home = env.HOME || homeFolder()
  const own = env.CLAUDE_CONFIG_DIR
  return {
    claude: { config: own || join(home, '.claude'), servers: join(own || home, '.claude.json') },
    openCode: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
  }
}

function markdownIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    throw unusable(folder, `cannot be read as a folder (${(error as NodeJS.ErrnoException).code})`)
  }
}
