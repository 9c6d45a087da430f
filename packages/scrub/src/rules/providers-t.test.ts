import { testRuleSamples } from '../../test/rule-samples.ts'
import { samplesT } from './providers-t.samples.ts'
import { providersT } from './providers-t.ts'

testRuleSamples(providersT, samplesT)
