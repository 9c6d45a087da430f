/** The locations of the Claude Code files that affect permissions. Pure: does not access the disk. */

import { posix, win32 } from 'node:path'

export interface ClaudePlaces {
  /** The folder the client is started in. */
  readonly project: string
  readonly home: string
  /** The client's config folder: settings, agents and plugins of the user. */
  readonly config: string
  /** `.claude.json`: servers of the user, and the trusted folders. */
  readonly state: string
  /** The folder of the administrator's managed settings. */
  readonly managed: string
}

export interface ClaudeSurroundings {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
}

export function claudePlaces({ env, cwd, home, platform }: ClaudeSurroundings): ClaudePlaces {
  const { join } = platform === 'win32' ? win32 : posix
  const own = env.CLAUDE_CONFIG_DIR || undefined
  return {
    project: cwd,
    home,
    config: own ?? join(home, '.claude'),
    state: join(own ?? home, '.claude.json'),
    managed: managedFolders[platform] ?? '/etc/claude-code',
  }
}

const managedFolders: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
}
