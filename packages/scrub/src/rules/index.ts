/** The built-in rules. */

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

/** Secrets recognised by the structure around them. These rules have no pattern; each has its own module. */
export const structuralRules: readonly { readonly id: string; readonly description: string }[] = [
  { id: 'authorization-header', description: 'Credentials in an Authorization header' },
  { id: 'cookie', description: 'Session in a Cookie or Set-Cookie header' },
  { id: 'generic-api-key', description: 'A random value under a name such as token, secret or key' },
  { id: 'generic-password', description: 'A value under a name such as password' },
  { id: 'kubernetes-secret-yaml', description: 'A value of a Kubernetes Secret' },
  { id: 'private-key', description: 'A private key in PEM or PGP armour, complete or truncated' },
  { id: 'uri-with-username-and-secret', description: 'Password or token in a URL' },
]
