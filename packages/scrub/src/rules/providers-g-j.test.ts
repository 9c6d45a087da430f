import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesGJ } from './providers-g-j.samples.ts'
import { providersGJ } from './providers-g-j.ts'

testRuleSamples(providersGJ, samplesGJ)
