import { checkAgainstRecord } from './check-record.ts'
import { explained, setUp } from './outcomes.ts'
import { claudeOracle } from './record.ts'
import { allScenes } from './scenes.ts'

checkAgainstRecord(claudeOracle, allScenes, (scene, stage) => explained(setUp(scene, stage), stage))
