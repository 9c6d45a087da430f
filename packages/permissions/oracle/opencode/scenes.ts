/** All scenes, in groups that are played in sequence. */

import { agentScenes } from './cells-agents.ts'
import { formScenes } from './cells-forms.ts'
import { levelScenes } from './cells-levels.ts'
import { toolScenes } from './cells-tools.ts'
import type { Scene } from './scene.ts'

export const sceneGroups: Readonly<Record<string, readonly Scene[]>> = {
  'rules in different places': levelScenes,
  'how rules are spelt': formScenes,
  'rules about every tool': toolScenes,
  'who acts': agentScenes,
}

export const allScenes: readonly Scene[] = Object.values(sceneGroups).flat()
