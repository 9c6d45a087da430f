import type { RuleSamples } from '@contextd/shared/testing/secret-samples'
import { samplesGeneral } from './general.samples.ts'
import { samplesA } from './providers-a.samples.ts'
import { samplesB } from './providers-b.samples.ts'
import { samplesC } from './providers-c.samples.ts'
import { samplesDF } from './providers-d-f.samples.ts'
import { samplesGJ } from './providers-g-j.samples.ts'
import { samplesKM } from './providers-k-m.samples.ts'
import { samplesNO } from './providers-n-o.samples.ts'
import { samplesPR } from './providers-p-r.samples.ts'
import { samplesS } from './providers-s.samples.ts'
import { samplesT } from './providers-t.samples.ts'
import { samplesUZ } from './providers-u-z.samples.ts'

export const allSamples: RuleSamples = {
  ...samplesGeneral,
  ...samplesA,
  ...samplesB,
  ...samplesC,
  ...samplesDF,
  ...samplesGJ,
  ...samplesKM,
  ...samplesNO,
  ...samplesPR,
  ...samplesS,
  ...samplesT,
  ...samplesUZ,
}
