/** Reads what decides about the agents of every client here. */

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
  /** All of them unless one is named. */
  readonly client?: PermissionClient
  /** Plugins that Claude Code would be started with (`--plugin-dir`). */
  readonly pluginFolders?: readonly string[]
  /** Folders that it would be given beside the project (`--add-dir`). */
  readonly addedFolders?: readonly string[]
  /** Where the administrator's settings for Claude Code are; where this system has them unless given. */
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

/** How a shell came to the folder, which may be by way of a link. */
function logicalFolder(folder: string, pwd: string | undefined): string {
  return pwd !== undefined && realPathOrSame(pwd) === realPathOrSame(folder) ? pwd : folder
}

export function readOpenCode({ env, cwd, secretsIn }: ReadSetupsOptions): OpenCodeSetup {
  return readOpenCodeSetup(openCodePlaces({ env, cwd }), { secretsIn })
}

/** Where the administrator of the machine decides for the clients. */
export function managedFolders(env: NodeJS.ProcessEnv): string[] {
  const [home, cwd] = [env.HOME || homeFolder(), '/']
  return [
    claudePlaces({ env, cwd, home, platform: process.platform }).managed,
    openCodePlaces({ env, cwd }).managed,
  ]
}
