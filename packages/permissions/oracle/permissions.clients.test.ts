import { compareWithClient } from './claude-code/compare.ts'
import { play } from './claude-code/play.ts'
import { claudeOracle } from './claude-code/record.ts'
import { sceneGroups } from './claude-code/scenes.ts'

compareWithClient({ oracle: claudeOracle, program: 'claude', groups: sceneGroups, play })
