import { randomBytes } from 'node:crypto'

import type { LocalDoor } from '../../clients/model-door/door-url.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import type { Config } from '../../platform/config/config-schema.ts'
import { createModelKeys } from '../../platform/secrets/model-keys.ts'
import type { Store } from '../../platform/storage/store.ts'

/** The model door for clients of this user. */
export function localDoor(store: Store, { port }: Config['http']): LocalDoor {
  const keys = createModelKeys(store, LOCAL_TENANT, Date.now, randomBytes)
  return { port, isKey: keys.isLive }
}
