/** What a client's MCP server does for the model door at startup. */

import { join } from 'node:path'

import { describeBypass, findBypass } from '../../clients/claude-code/door-environment.ts'
import { isSetUpForDoor, settingsFiles } from '../../clients/claude-code/settings-variables.ts'
import type { Runtime } from '../../compose.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { ensureDaemon } from './autostart.ts'
import { localDoor } from './local-door.ts'

/**
 * A client routed through the model door needs the daemon before its first request. A client that was set up for the
 * door but bypasses it is recorded: if a project disables hooks, nothing else would notice.
 */
export async function openDoorFor(
  { store, config, project, log, audit }: Pick<Runtime, 'store' | 'config' | 'project' | 'log' | 'audit'>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const bypass = findBypass(env, localDoor(store, config.http))
  if (bypass !== undefined) {
    const folder = env.CLAUDE_CONFIG_DIR || join(env.HOME || homeFolder(), '.claude')
    if (!env.CLAUDECODE || !isSetUpForDoor(settingsFiles(join(folder, 'settings.json'), project))) return
    log('error', 'the client bypasses the model door', { cause: describeBypass(bypass) })
    audit.event('door-bypassed', { client: 'claude-code', variable: bypass.variable }, { project })
    return
  }
  try {
    await ensureDaemon(env, project)
  } catch (error) {
    log('warn', 'the model door is closed', { cause: error instanceof Error ? error.message : String(error) })
  }
}
