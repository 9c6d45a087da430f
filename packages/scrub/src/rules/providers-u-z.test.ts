import { holdSamples } from '../../test/rule-samples.ts'
import { samplesUZ } from './providers-u-z.samples.ts'
import { providersUZ } from './providers-u-z.ts'

holdSamples(providersUZ, samplesUZ)
