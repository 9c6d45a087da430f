import { holdAgainstRecord } from './hold.ts'
import { explained, setUp } from './outcomes.ts'
import { claudeOracle } from './record.ts'
import { allScenes } from './scenes.ts'

holdAgainstRecord(claudeOracle, allScenes, (scene, stage) => explained(setUp(scene, stage), stage))
