import { play } from './opencode/play.ts'
import { sceneGroups } from './opencode/scenes.ts'
import { compareWithClient } from './claude-code/compare.ts'
import { openCodeOracle } from './claude-code/record.ts'

compareWithClient({ oracle: openCodeOracle, program: 'opencode', groups: sceneGroups, play })
