import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesUZ } from './providers-u-z.samples.ts'
import { providersUZ } from './providers-u-z.ts'

testRuleSamples(providersUZ, samplesUZ)
