/** All scenes, in groups that are played one after the other. */

import { fileScenes } from './cells-files.ts'
import { levelScenes } from './cells-levels.ts'
import { agentScenes } from './cells-agents.ts'
import { commandScenes } from './cells-commands.ts'
import { mcpRuleScenes } from './cells-mcp-rules.ts'
import { modeScenes, settingScenes } from './cells-modes.ts'
import { oddCommandScenes } from './cells-odd-commands.ts'
import { oddFileScenes } from './cells-odd-files.ts'
import { pathScenes } from './cells-paths.ts'
import { serverScenes } from './cells-servers.ts'
import { toolScenes } from './cells-tools.ts'
import type { Scene } from './scene.ts'

export const sceneGroups: Readonly<Record<string, readonly Scene[]>> = {
  'rules at different levels': levelScenes,
  'rules about tools of servers': mcpRuleScenes,
  'rules about commands': commandScenes,
  'odd commands': oddCommandScenes,
  'odd commands and files': oddFileScenes,
  'rules about files': pathScenes,
  'rules about other tools': toolScenes,
  modes: modeScenes,
  'other settings': settingScenes,
  'files with mistakes': fileScenes,
  agents: agentScenes,
  'servers and plugins': serverScenes,
}

export const allScenes: readonly Scene[] = Object.values(sceneGroups).flat()
