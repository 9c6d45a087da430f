import { testRuleSamples } from '../../test/rule-samples.ts'
import { providersB } from './providers-b.ts'
import { samplesB } from './providers-b.samples.ts'

testRuleSamples(providersB, samplesB)
