import { checkAgainstRecord } from '../claude-code/check-record.ts'
import { openCodeOracle } from '../claude-code/record.ts'
import { explained, setUp } from './outcomes.ts'
import { allScenes } from './scenes.ts'

checkAgainstRecord(openCodeOracle, allScenes, (scene, stage) => explained(setUp(scene, stage), stage))
