import { ContextdError } from '../../../core/errors/errors.ts'
import { requireOperator } from '@contextd/shared/operator'
import { isoTime } from '../../../platform/tls/certificate.ts'
import { printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { withRuntime } from '../../support/with-runtime.ts'
import { tlsPlaceOf } from './place.ts'

export async function revokeCertificate(text: string, { json }: JsonOption, io: CliIo): Promise<void> {
  // Other programs print serials with colons and in upper case.
  const serial = text.replaceAll(':', '').toLowerCase()
  await withRuntime(io, async (runtime) => {
    const { issued } = tlsPlaceOf(runtime)
    const found = issued.find(serial)
    if (found === undefined || found.revokedAt !== undefined) {
      throw new ContextdError('NOT_FOUND', {
        what: `live certificate ${serial}`,
        hint: '`ctxd tls list` shows the serials.',
      })
    }
    const { kind, name, notAfter } = found
    if (kind === 'server') {
      throw new ContextdError('USAGE', {
        problem: 'callers would still accept a revoked server certificate: use `ctxd tls rotate`',
      })
    }
    await requireOperator({
      ...io,
      details: [`It authenticates ${kind} ${name} and is valid until ${isoTime(notAfter)}.`],
      question: `Revoke certificate ${serial}`,
    })
    issued.revoke(serial)
    runtime.audit.event(
      'certificate-revoked',
      { kind, name, serial },
      kind === 'agent' ? { agent: name } : {},
    )
    if (json) printJson({ serial, revoked: true }, io)
    else printLine('Revoked. It is refused from now on, including on open connections.', io)
  })
}
