import { holdSamples } from '../../test/rule-samples.ts'
import { samplesDF } from './providers-d-f.samples.ts'
import { providersDF } from './providers-d-f.ts'

holdSamples(providersDF, samplesDF)
