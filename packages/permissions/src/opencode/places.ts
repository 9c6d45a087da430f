/** Places of OpenCode's configuration. Pure: does not access the file system. */

import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'

export interface OpenCodePlaces {
  /** The folder the client is started in. */
  readonly project: string
  readonly home: string
  /** The user's configuration folder. */
  readonly config: string
  /** The client's data folders, which it may access without asking. */
  readonly own: readonly string[]
  /** Folder of the administrator's settings. */
  readonly managed: string
  /** An additional file and folder, named by environment variables. */
  readonly extraFile?: string
  readonly extraFolder?: string
  /** A complete configuration, and an override for every `permission`, from environment variables. */
  readonly content?: string
  readonly permission?: string
  /** The client does not read configuration of the project. */
  readonly isWithoutProject?: true
}

export interface OpenCodeSurroundings {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly platform?: NodeJS.Platform
}

export function openCodePlaces({
  env,
  cwd,
  platform = process.platform,
}: OpenCodeSurroundings): OpenCodePlaces {
  const home = env.HOME || homeFolder()
  return {
    project: cwd,
    home,
    config: join(resolve(cwd, env.XDG_CONFIG_HOME || join(home, '.config')), 'opencode'),
    own: [
      join(resolve(cwd, env.XDG_DATA_HOME || join(home, '.local', 'share')), 'opencode', 'tool-output'),
      join(env.TMPDIR || tmpdir(), 'opencode'),
    ],
    managed: managedFolder(platform, env),
    ...(env.OPENCODE_CONFIG && { extraFile: resolve(cwd, env.OPENCODE_CONFIG) }),
    ...(env.OPENCODE_CONFIG_DIR && { extraFolder: resolve(cwd, env.OPENCODE_CONFIG_DIR) }),
    ...(env.OPENCODE_CONFIG_CONTENT && { content: env.OPENCODE_CONFIG_CONTENT }),
    ...(env.OPENCODE_PERMISSION && { permission: env.OPENCODE_PERMISSION }),
    ...(/^(?:1|true)$/i.test(env.OPENCODE_DISABLE_PROJECT_CONFIG ?? '') && { isWithoutProject: true }),
  }
}

function managedFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (platform === 'darwin') return '/Library/Application Support/opencode'
  if (platform === 'win32') return join(env.ProgramData || 'C:\\ProgramData', 'opencode')
  return '/etc/opencode'
}
