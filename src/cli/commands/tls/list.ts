import { day } from '../../../platform/tls/authority.ts'
import { certificateFingerprint, isoTime, serialOf, validityOf } from '../../../platform/tls/certificate.ts'
import { isRenewalDue, rotationOf } from '../../../platform/tls/changes.ts'
import type { IssuedCertificate } from '../../../platform/tls/issued.ts'
import { readTlsFolder, type TlsFolder } from '../../../platform/tls/tls-folder.ts'
import {
  minuteOf,
  note,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRuntime } from '../../support/with-runtime.ts'
import { tlsPlaceOf } from './place.ts'

type State = 'valid' | 'ends soon' | 'not yet valid' | 'expired' | 'revoked' | 'replaced'

/** Rotation takes a while: every caller needs a new certificate. */
const authorityEndsSoon = 90 * day
/** Relative to its lifetime: a one-day certificate ends soon in its last hours, a one-year one in its last weeks. */
const lastPart = 0.1

export async function listCertificates({ json }: JsonOption, io: CliIo): Promise<void> {
  await withRuntime(io, (runtime) => {
    const { folder, clock, issued } = tlsPlaceOf(runtime)
    const now = clock()
    const found = readTlsFolder(folder)
    if (found === undefined) {
      if (json) printJson({ certificates: [] }, io)
      else printLine('No certificates yet. `ctxd tls init` creates an authority.', io)
      return
    }
    const { notBefore, notAfter } = validityOf(found.authority.certificate)
    const rotation = rotationOf(found)
    const certificates = issued.list().map((one) => describe(one, found, now))
    if (json) {
      printJson(
        {
          authority: {
            fingerprint: certificateFingerprint(found.authority.certificate),
            not_before: isoTime(notBefore),
            not_after: isoTime(notAfter),
            rotation,
          },
          certificates,
        },
        io,
      )
    } else {
      printTable(
        ['SERIAL', 'KIND', 'NAME', 'STATE', 'UNTIL'],
        certificates.map(({ serial, kind, name, state, not_after }) => [
          serial,
          kind,
          name,
          state,
          minuteOf(not_after),
        ]),
        io,
      )
    }
    const ending = certificates.filter(({ state }) => state === 'ends soon').length
    if (ending > 0)
      note(`${counted(ending, 'certificate')} of callers will expire soon: \`ctxd tls issue\``, io)
    if (isRenewalDue(found, now))
      note('the server certificate is due for renewal; a running daemon renews it', io)
    if (notAfter - now < authorityEndsSoon) {
      note(`the authority expires on ${minuteOf(isoTime(notAfter))}: \`ctxd tls rotate\``, io)
    }
    if (rotation === 'open')
      note('a rotation is in progress: `ctxd tls rotate --finish` retires the old authority', io)
    if (rotation === 'cut off') note('a rotation was interrupted: restart it with `ctxd tls rotate`', io)
  })
}

interface CertificateJson {
  readonly serial: string
  readonly kind: string
  readonly name: string
  readonly state: State
  readonly fingerprint: string
  readonly not_before: string
  readonly not_after: string
  readonly issued_at: string
  readonly revoked_at?: string
}

function describe(one: IssuedCertificate, folder: TlsFolder, now: number): CertificateJson {
  const { serial, kind, name, fingerprint, notBefore, notAfter, createdAt, revokedAt } = one
  return {
    serial,
    kind,
    name,
    state: stateOf(one, folder, now),
    fingerprint,
    not_before: isoTime(notBefore),
    not_after: isoTime(notAfter),
    issued_at: isoTime(createdAt),
    ...(revokedAt !== undefined && { revoked_at: isoTime(revokedAt) }),
  }
}

function stateOf(
  { serial, kind, notBefore, notAfter, revokedAt }: IssuedCertificate,
  { server }: TlsFolder,
  now: number,
): State {
  if (kind === 'server' && serial !== serialOf(server.certificate)) return 'replaced'
  if (revokedAt !== undefined) return 'revoked'
  if (now > notAfter) return 'expired'
  if (now < notBefore) return 'not yet valid'
  const endsSoon = kind !== 'server' && notAfter - now < (notAfter - notBefore) * lastPart
  return endsSoon ? 'ends soon' : 'valid'
}
