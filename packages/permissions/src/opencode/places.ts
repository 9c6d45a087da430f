/** Where OpenCode keeps what decides what an agent may do. Pure: nothing is looked up on the disk. */

import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'

export interface OpenCodePlaces {
  /** The folder the client is started in. */
  readonly project: string
  readonly home: string
  /** The user's own folder for the client. */
  readonly config: string
  /** What the client keeps and may touch without asking. */
  readonly own: readonly string[]
  /** What the administrator of the machine decides. */
  readonly managed: string
  /** One more file, and one more folder, that the environment names. */
  readonly extraFile?: string
  readonly extraFolder?: string
  /** A whole configuration, and what comes over every `permission`, in variables. */
  readonly content?: string
  readonly permission?: string
  /** Neither files nor folders of the project are read then. */
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
