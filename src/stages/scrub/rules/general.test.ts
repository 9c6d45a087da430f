import { holdSamples } from '../../../../test/support/rule-samples.ts'
import { samplesGeneral } from './general.samples.ts'
import { generalRules } from './general.ts'

holdSamples(generalRules, samplesGeneral)
