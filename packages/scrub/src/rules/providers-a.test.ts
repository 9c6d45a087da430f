import { holdSamples } from '../../test/rule-samples.ts'
import { providersA } from './providers-a.ts'
import { samplesA } from './providers-a.samples.ts'

holdSamples(providersA, samplesA)
