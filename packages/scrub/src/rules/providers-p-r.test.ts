import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesPR } from './providers-p-r.samples.ts'
import { providersPR } from './providers-p-r.ts'

testRuleSamples(providersPR, samplesPR)
