import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesNO } from './providers-n-o.samples.ts'
import { providersNO } from './providers-n-o.ts'

testRuleSamples(providersNO, samplesNO)
