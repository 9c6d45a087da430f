import { holdAgainstRecord } from '../permissions/hold.ts'
import { openCodeOracle } from '../permissions/record.ts'
import { explained, setUp } from './outcomes.ts'
import { allScenes } from './scenes.ts'

holdAgainstRecord(openCodeOracle, allScenes, (scene, stage) => explained(setUp(scene, stage), stage))
