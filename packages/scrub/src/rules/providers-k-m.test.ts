import { holdSamples } from '../../test/rule-samples.ts'
import { samplesKM } from './providers-k-m.samples.ts'
import { providersKM } from './providers-k-m.ts'

holdSamples(providersKM, samplesKM)
