import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { LOCAL_TENANT } from '../../src/core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { openStore } from '../../src/platform/storage/store.ts'
import { certifyCaller, setUpTls, type TlsPlace } from '../../src/platform/tls/changes.ts'
import { day, type Certified } from '../../src/platform/tls/authority.ts'
import { openTls, type OpenTls, type TlsContext } from '../../src/platform/tls/open-tls.ts'
import { keyPem, pem } from '../../src/platform/tls/tls-folder.ts'

/** Our certificates in a temporary folder, with a clock that can be moved. Call it in a test. */
export interface TlsPlaceHere extends TlsPlace {
  readonly root: string
  /** Advances the clock. */
  pass(ms: number): void
  open(): OpenTls
  /** The events that `open` recorded. */
  readonly events: readonly (readonly [string, JsonObject])[]
  /** Issues a certificate in the form a caller has it. */
  issue(kind: 'agent' | 'operator', id: string, life?: number): TlsContext
}

export function makeTlsPlace({ setUp = true } = {}): TlsPlaceHere {
  const root = mkdtempSync(join(tmpdir(), 'contextd-tls-'))
  const store = openStore(join(root, 'contextd.db'))
  onTestFinished(() => {
    store.close()
    rmSync(root, { recursive: true, force: true })
  })
  let passed = 0
  const events: [string, JsonObject][] = []
  const place: TlsPlace = {
    folder: join(root, 'tls'),
    store,
    tenant: LOCAL_TENANT,
    clock: () => Date.now() + passed,
  }
  if (setUp) setUpTls(place, ['localhost', '127.0.0.1', '::1'])
  return {
    ...place,
    root,
    events,
    pass(ms) {
      passed += ms
    },
    open: () => openTls({ ...place, onEvent: (...event) => void events.push(event) })!,
    issue(kind, id, life = day) {
      const { authority, ...made } = certifyCaller(place, { kind, id }, life)
      return heldBy(made, authority)
    },
  }
}

/** Files of a caller that trusts this authority. */
export function heldBy({ certificate, key }: Certified, { certificate: authority }: Certified): TlsContext {
  return { ca: [pem(authority)], cert: pem(certificate), key: keyPem(key) }
}
