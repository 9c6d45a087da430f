import { holdSamples } from '../../../../test/support/rule-samples.ts'
import { providersAB } from './providers-a-b.ts'
import { samplesAB } from './providers-a-b.samples.ts'

holdSamples(providersAB, samplesAB)
