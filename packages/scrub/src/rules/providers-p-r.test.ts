import { holdSamples } from '../../test/rule-samples.ts'
import { samplesPR } from './providers-p-r.samples.ts'
import { providersPR } from './providers-p-r.ts'

holdSamples(providersPR, samplesPR)
