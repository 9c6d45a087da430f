import { holdSamples } from '../../../../test/support/rule-samples.ts'
import { samplesTZ } from './providers-t-z.samples.ts'
import { providersTZ } from './providers-t-z.ts'

holdSamples(providersTZ, samplesTZ)
