import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesKM } from './providers-k-m.samples.ts'
import { providersKM } from './providers-k-m.ts'

testRuleSamples(providersKM, samplesKM)
