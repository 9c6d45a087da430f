import { testRuleSamples } from '../../test/rule-samples.ts'
import { providersA } from './providers-a.ts'
import { samplesA } from './providers-a.samples.ts'

testRuleSamples(providersA, samplesA)
