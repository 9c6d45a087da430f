import { play } from './opencode-permissions/play.ts'
import { sceneGroups } from './opencode-permissions/scenes.ts'
import { compareWithClient } from './permissions/compare.ts'
import { openCodeOracle } from './permissions/record.ts'

compareWithClient({ oracle: openCodeOracle, program: 'opencode', groups: sceneGroups, play })
