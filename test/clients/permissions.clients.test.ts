import { compareWithClient } from './permissions/compare.ts'
import { play } from './permissions/play.ts'
import { claudeOracle } from './permissions/record.ts'
import { sceneGroups } from './permissions/scenes.ts'

compareWithClient({ oracle: claudeOracle, program: 'claude', groups: sceneGroups, play })
