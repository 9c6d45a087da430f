/** All rules of ours. */

import { generalRules } from './general.ts'
import { providersAB } from './providers-a-b.ts'
import { providersC } from './providers-c.ts'
import { providersDF } from './providers-d-f.ts'
import { providersGJ } from './providers-g-j.ts'
import { providersKM } from './providers-k-m.ts'
import { providersNO } from './providers-n-o.ts'
import { providersPR } from './providers-p-r.ts'
import { providersS } from './providers-s.ts'
import { providersTZ } from './providers-t-z.ts'
import type { SecretRule } from './rule.ts'

export const defaultRules: readonly SecretRule[] = [
  ...generalRules,
  ...providersAB,
  ...providersC,
  ...providersDF,
  ...providersGJ,
  ...providersKM,
  ...providersNO,
  ...providersPR,
  ...providersS,
  ...providersTZ,
]
