/** Reads the permission setup of every client. */

import { homeFolder } from '@contextd/shared/files/home-folder'
import { claudePlaces } from './claude-code/read/places.ts'
import { readSetup } from './claude-code/read/read-setup.ts'
import { realPathOrSame } from './claude-code/read/workspace.ts'
import type { ClaudeSetup } from './claude-code/setup/setup.ts'
import { openCodePlaces } from './opencode/places.ts'
import { readOpenCodeSetup } from './opencode/read-setup.ts'
import type { OpenCodeSetup } from './opencode/setup.ts'
import type { PermissionClient } from './clients.ts'
import type { SecretsIn } from './findings/masked.ts'

export interface Setups {
  readonly claudeCode?: ClaudeSetup
  readonly openCode?: OpenCodeSetup
}

export interface ReadSetupsOptions {
  readonly env: NodeJS.ProcessEnv
  /** The project: the folder that a client would be started in. */
  readonly cwd: string
  readonly secretsIn: SecretsIn
  /** All clients by default. */
  readonly client?: PermissionClient
  /** Plugins that Claude Code would be started with (`--plugin-dir`). */
  readonly pluginFolders?: readonly string[]
  /** Additional folders that Claude Code would be started with (`--add-dir`). */
  readonly addedFolders?: readonly string[]
  /** Folder of Claude Code's managed settings; by default the one of this system. */
  readonly managed?: string
}

export function readSetups(reading: ReadSetupsOptions): Setups {
  const { client } = reading
  return {
    ...(client !== 'opencode' && { claudeCode: readClaudeSetup(reading) }),
    ...(client !== 'claude-code' && { openCode: readOpenCode(reading) }),
  }
}

export function readClaudeSetup(reading: ReadSetupsOptions): ClaudeSetup {
  const { env, cwd, secretsIn, pluginFolders, addedFolders, managed } = reading
  const home = env.HOME || homeFolder()
  const places = claudePlaces({ env, cwd: logicalFolder(cwd, env.PWD), home, platform: process.platform })
  return readSetup(
    { ...places, ...(managed !== undefined && { managed }) },
    {
      secretsIn,
      ...(pluginFolders !== undefined && { pluginFolders }),
      ...(addedFolders !== undefined && { addedFolders }),
    },
  )
}

/** The folder as the shell names it, which may be through a link. */
function logicalFolder(folder: string, pwd: string | undefined): string {
  return pwd !== undefined && realPathOrSame(pwd) === realPathOrSame(folder) ? pwd : folder
}

export function readOpenCode({ env, cwd, secretsIn }: ReadSetupsOptions): OpenCodeSetup {
  return readOpenCodeSetup(openCodePlaces({ env, cwd }), { secretsIn })
}

/** Folders with settings of the machine's administrator. */
export function managedFolders(env: NodeJS.ProcessEnv): string[] {
  const [home, cwd] = [env.HOME || homeFolder(), '/']
  return [
    claudePlaces({ env, cwd, home, platform: process.platform }).managed,
    openCodePlaces({ env, cwd }).managed,
  ]
}
