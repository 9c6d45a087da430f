import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesDF } from './providers-d-f.samples.ts'
import { providersDF } from './providers-d-f.ts'

testRuleSamples(providersDF, samplesDF)
