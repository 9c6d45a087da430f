import { holdAgainstRecord } from '../claude-code/hold.ts'
import { openCodeOracle } from '../claude-code/record.ts'
import { explained, setUp } from './outcomes.ts'
import { allScenes } from './scenes.ts'

holdAgainstRecord(openCodeOracle, allScenes, (scene, stage) => explained(setUp(scene, stage), stage))
