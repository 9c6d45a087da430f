import { testRuleSamples } from '../../test/rule-samples.ts'
import { providersC } from './providers-c.ts'
import { samplesC } from './providers-c.samples.ts'

testRuleSamples(providersC, samplesC)
