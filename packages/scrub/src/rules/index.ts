/** All built-in rules with a pattern. */

import { generalRules } from './general.ts'
import { providersA } from './providers-a.ts'
import { providersB } from './providers-b.ts'
import { providersC } from './providers-c.ts'
import { providersDF } from './providers-d-f.ts'
import { providersGJ } from './providers-g-j.ts'
import { providersKM } from './providers-k-m.ts'
import { providersNO } from './providers-n-o.ts'
import { providersPR } from './providers-p-r.ts'
import { providersS } from './providers-s.ts'
import { providersT } from './providers-t.ts'
import { providersUZ } from './providers-u-z.ts'
import type { SecretRule } from './rule.ts'

export const defaultRules: readonly SecretRule[] = [
  ...generalRules,
  ...providersA,
  ...providersB,
  ...providersC,
  ...providersDF,
  ...providersGJ,
  ...providersKM,
  ...providersNO,
  ...providersPR,
  ...providersS,
  ...providersT,
  ...providersUZ,
]
