/** The plan of `ctxd init`: which files of which clients change, and how. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { doorFiles, type DoorSettings } from '../../../clients/claude-code/init-door.ts'
import { claudeCodeFiles } from '../../../clients/claude-code/init-files.ts'
import type { Platform } from '../../../clients/find-clients.ts'
import { revertFile, type ClientFile, type Remembered } from '../../../clients/init/client-file.ts'
import { openCodeFiles } from '../../../clients/opencode/init-files.ts'
import { toolLinkFiles } from '../../../clients/tool-links/link-files.ts'
import { isExecutable } from '@contextd/shared/executable'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { readNow, readFileText, unusable, type FileChange } from '@contextd/shared/changes/change'
import { proxyProgram, shippedFile } from './program.ts'

export interface InitSetup {
  readonly env: NodeJS.ProcessEnv
  /** The project; undefined for the user's own folders. */
  readonly project: string | undefined
  readonly program: readonly [string, ...string[]]
  readonly mode: 'friendly' | 'strict'
  readonly declareAgents: boolean
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
      return claudeCodeFilesOf(setup, moved)
    case 'opencode':
      return openCodeFilesOf(setup, moved)
  }
}

function claudeCodeFilesOf(setup: InitSetup, moved: readonly string[]): ClientFile[] {
  const { project, program, mode, door } = setup
  return claudeCodeFiles({
    place: project === undefined ? foldersOf(setup).claude : { project },
    program,
    mode,
    moved,
    ...(door && { door }),
    read: (path) => readFileText(path, project),
  })
}

function openCodeFilesOf(setup: InitSetup, moved: readonly string[]): ClientFile[] {
  const { project, program, mode } = setup
  const { openCode } = foldersOf(setup)
  const agents = join(openCode, ...(project === undefined ? [] : ['.opencode']), 'agent')
  return openCodeFiles({
    place: project === undefined ? { config: openCode } : { project },
    program,
    mode,
    moved,
    door: setup.openCodeDoor,
    plugin: shippedPlugin,
    agentFiles: setup.declareAgents ? markdownIn(agents) : [],
    config: serversFileOf('opencode', setup),
  })
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

export interface Planned {
  readonly changes: readonly FileChange[]
  /** The undo journal after the changes. */
  readonly remembered: readonly Remembered[]
}

/** New contents of each file. An earlier run is undone first, so that none of its choices remain. */
export function planChanges(
  files: readonly ClientFile[],
  remembered: readonly Remembered[],
  project: string | undefined,
): Planned {
  const memory = new Map(remembered.map((one) => [one.path, one]))
  const changes: FileChange[] = []
  for (const { path, kind, isPrivate, extend } of files) {
    const place = { path, ...(kind === 'link' && { isLink: true as const }), ...(isPrivate && { isPrivate }) }
    const now = readNow(place, project)
    const earlier = memory.get(path)
    const before = earlier === undefined || now === undefined ? now : baseOf(earlier, now)
    const after = extend(before)
    if (after === before && earlier === undefined) continue
    if (after !== now) changes.push({ ...place, from: now, to: after })
    memory.set(path, { path, kind, before: before ?? null, after })
  }
  return { changes, remembered: Array.from(memory.values()) }
}

/** If our own file was edited, it is rewritten, and undo restores the edited version. */
function baseOf(earlier: Remembered, now: string): string | undefined {
  const isWhole = earlier.kind === 'own' || earlier.kind === 'link'
  return isWhole && now !== earlier.after ? now : revertFile(earlier, now)
}

/** Undo: exact for journaled files; from other files only what is unmistakably ours is removed. */
export function planUndo(
  files: readonly ClientFile[],
  remembered: readonly Remembered[],
  project: string | undefined,
  only?: ReadonlySet<string>,
): Planned {
  const [gone, kept] = [new Map<string, Remembered>(), new Array<Remembered>()]
  for (const one of remembered) {
    if (only === undefined || only.has(one.path)) gone.set(one.path, one)
    else kept.push(one)
  }
  const changes: FileChange[] = []
  const paths = new Set([...gone.keys(), ...files.map(({ path }) => path)])
  for (const path of paths) {
    const earlier = gone.get(path)
    const file = files.find((one) => one.path === path)
    const isLink = (earlier ?? file)?.kind === 'link'
    const place = { path, ...(isLink && { isLink: true as const }) }
    const now = readNow(place, project)
    if (now === undefined) continue
    const to = earlier === undefined ? file?.clear(now) : revertFile(earlier, now)
    if (to !== now) changes.push({ ...place, from: now, to })
  }
  return { changes, remembered: kept }
}
