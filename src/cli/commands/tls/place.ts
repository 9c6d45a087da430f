import type { Runtime } from '../../../compose.ts'
import { LOCAL_TENANT } from '../../../core/call.ts'
import type { TlsPlace } from '../../../platform/tls/changes.ts'
import { issuedCertificates, type IssuedCertificates } from '../../../platform/tls/issued.ts'

export function tlsPlaceOf({ paths, store }: Runtime): TlsPlace & { issued: IssuedCertificates } {
  const place = { folder: paths.tls, store, tenant: LOCAL_TENANT, clock: Date.now }
  return { ...place, issued: issuedCertificates(store, place.tenant, place.clock) }
}
