import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesS } from './providers-s.samples.ts'
import { providersS } from './providers-s.ts'

testRuleSamples(providersS, samplesS)
