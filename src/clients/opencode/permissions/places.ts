/** Where OpenCode keeps what decides what an agent may do. Pure: nothing is looked up on the disk. */

import { join, resolve } from 'node:path'

import { homeFolder } from '../../../platform/home-folder.ts'

export interface OpenCodePlaces {
  /** The folder the client is started in. */
  readonly project: string
  readonly home: string
  /** The person's own folder for the client. */
  readonly config: string
  /** What the administrator of the machine decides. */
  readonly managed: string
  /** One more file, and one more folder, that the environment names. */
  readonly extraFile?: string
  readonly extraFolder?: string
}

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly platform?: NodeJS.Platform
}

export function openCodePlaces({ env, cwd, platform = process.platform }: Surroundings): OpenCodePlaces {
  const home = env.HOME || homeFolder()
  return {
    project: cwd,
    home,
    config: join(resolve(cwd, env.XDG_CONFIG_HOME || join(home, '.config')), 'opencode'),
    managed: managedFolder(platform, env),
    ...(env.OPENCODE_CONFIG && { extraFile: resolve(cwd, env.OPENCODE_CONFIG) }),
    ...(env.OPENCODE_CONFIG_DIR && { extraFolder: resolve(cwd, env.OPENCODE_CONFIG_DIR) }),
  }
}

function managedFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (platform === 'darwin') return '/Library/Application Support/opencode'
  if (platform === 'win32') return join(env.ProgramData || 'C:\\ProgramData', 'opencode')
  return '/etc/opencode'
}
