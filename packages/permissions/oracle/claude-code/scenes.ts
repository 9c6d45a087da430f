/** All scenes, in groups that are played in sequence. */

import { fileScenes } from './cells-files.ts'
import { levelScenes } from './cells-levels.ts'
import { addedScenes } from './cells-added.ts'
import { agentScenes } from './cells-agents.ts'
import { autoScenes } from './cells-auto.ts'
import { commandScenes } from './cells-commands.ts'
import { folderScenes } from './cells-folders.ts'
import { linkRuleScenes, linkScenes } from './cells-links.ts'
import { mcpRuleScenes } from './cells-mcp-rules.ts'
import { modeScenes, settingScenes } from './cells-modes.ts'
import { oddCommandScenes } from './cells-odd-commands.ts'
import { oddFileScenes } from './cells-odd-files.ts'
import { pathScenes } from './cells-paths.ts'
import { planningScenes } from './cells-planning.ts'
import { manifestScenes } from './cells-plugin-manifests.ts'
import { sandboxScenes } from './cells-sandbox.ts'
import { serverScenes } from './cells-servers.ts'
import { shellFormScenes } from './cells-shell-forms.ts'
import { slipScenes } from './cells-slips.ts'
import { skillHookScenes } from './cells-skill-hooks.ts'
import { skillPluginScenes } from './cells-skill-plugins.ts'
import { skillScenes } from './cells-skills.ts'
import { toolScenes } from './cells-tools.ts'
import { unreadScenes } from './cells-unread.ts'
import type { Scene } from './scene.ts'

export const sceneGroups: Readonly<Record<string, readonly Scene[]>> = {
  'rules at different levels': levelScenes,
  'rules about tools of servers': mcpRuleScenes,
  'rules about commands': commandScenes,
  'odd commands': oddCommandScenes,
  'odd commands and files': oddFileScenes,
  'forms of commands': shellFormScenes,
  'rules about files': pathScenes,
  'links between files': linkScenes,
  'links in rules': linkRuleScenes,
  'folders of a session': folderScenes,
  'what added folders bring': addedScenes,
  'rules about other tools': toolScenes,
  modes: modeScenes,
  'planning, and modes by other names': planningScenes,
  'the classifier': autoScenes,
  'other settings': settingScenes,
  'the sandbox': sandboxScenes,
  'files with mistakes': fileScenes,
  'rules in the syntax of others': slipScenes,
  'what is written where nothing is read': unreadScenes,
  agents: agentScenes,
  skills: skillScenes,
  'hooks of skills': skillHookScenes,
  'plugins among the skills': skillPluginScenes,
  'servers and plugins': serverScenes,
  'manifests of plugins': manifestScenes,
}

export const allScenes: readonly Scene[] = Object.values(sceneGroups).flat()
