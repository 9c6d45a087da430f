import { holdSamples } from '../../test/rule-samples.ts'
import { samplesS } from './providers-s.samples.ts'
import { providersS } from './providers-s.ts'

holdSamples(providersS, samplesS)
