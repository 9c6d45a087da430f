import { holdSamples } from '../../test/rule-samples.ts'
import { samplesNO } from './providers-n-o.samples.ts'
import { providersNO } from './providers-n-o.ts'

holdSamples(providersNO, samplesNO)
