import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesGeneral } from './general.samples.ts'
import { generalRules } from './general.ts'

testRuleSamples(generalRules, samplesGeneral)
