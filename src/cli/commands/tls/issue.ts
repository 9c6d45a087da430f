import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Runtime } from '../../../compose.ts'
import { agentIdPattern } from '../../../core/call.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { requireOperator } from '@contextd/shared/operator'
import { day, type CertificateSubject } from '../../../platform/tls/authority.ts'
import { certificateFingerprint, isoTime, serialOf, validityOf } from '../../../platform/tls/certificate.ts'
import { certifyCaller, requireTlsFolder } from '../../../platform/tls/changes.ts'
import { writeClientTls } from '../../../platform/tls/client-files.ts'
import { certificateHosts } from '../../../platform/tls/host-names.ts'
import { printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRuntime } from '../../support/with-runtime.ts'
import { tlsPlaceOf } from './place.ts'

interface Options extends JsonOption {
  readonly agent?: string
  readonly operator?: string
  readonly days: number
  readonly out: string
}

export async function issueCertificate(options: Options, io: CliIo): Promise<void> {
  const { days, json } = options
  const out = resolve(io.cwd, options.out)
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new ContextdError('USAGE', { problem: '--out must be a folder' })
  }
  await withRuntime(io, async (runtime) => {
    const caller = callerOf(options, runtime)
    const { folder, issued } = tlsPlaceOf(runtime)
    const { server } = requireTlsFolder(folder)
    await requireOperator({
      ...io,
      details: [
        caller.kind === 'agent'
          ? `Anyone with the key is agent ${caller.id}, from any machine, for ${counted(days, 'day')}.`
          : `Anyone with the key may do everything \`ctxd\` can, from any machine, for ${counted(days, 'day')}.`,
      ],
      question: `Issue a certificate for ${caller.kind} ${caller.id}, with its key in ${out}`,
    })
    const made = certifyCaller(tlsPlaceOf(runtime), caller, days * day)
    const serial = serialOf(made.certificate)
    const { notBefore, notAfter } = validityOf(made.certificate)
    try {
      runtime.audit.event(
        'certificate-issued',
        { kind: caller.kind, name: caller.id, serial, not_after: isoTime(notAfter) },
        caller.kind === 'agent' ? { agent: caller.id } : {},
      )
      writeClientTls(out, made, made.authority.certificate)
    } catch (error) {
      issued.revoke(serial)
      throw error
    }
    const address = `${certificateHosts(server.certificate)[0] ?? 'localhost'}:${runtime.config.control.port}`
    if (json) {
      printJson(
        {
          serial,
          kind: caller.kind,
          name: caller.id,
          fingerprint: certificateFingerprint(made.certificate),
          not_before: isoTime(notBefore),
          not_after: isoTime(notAfter),
          folder: out,
          address,
        },
        io,
      )
      return
    }
    printLine(`${serial}: cert.pem, key.pem and ca.pem are in ${out}, valid until ${isoTime(notAfter)}.`, io)
    printLine(
      `Copy the folder to the other machine, and set there: CONTEXTD_ADDR=${address} CONTEXTD_TLS=${out}`,
      io,
    )
  })
}

function callerOf({ agent, operator }: Options, { rules }: Runtime): CertificateSubject {
  if ((agent === undefined) === (operator === undefined)) {
    throw new ContextdError('USAGE', { problem: 'either --agent or --operator is needed' })
  }
  if (operator !== undefined) {
    if (agentIdPattern.test(operator)) return { kind: 'operator', id: operator }
    throw new ContextdError('USAGE', { problem: '--operator must consist of letters, digits and _ . : -' })
  }
  const { agents, resolveAgent } = rules.current()
  const id = resolveAgent(agent ?? '')
  if (id !== undefined) return { kind: 'agent', id }
  const meant = nearest(agent ?? '', [...agents.keys()])
  const hint = meant === undefined ? '`ctxd agents list` shows them.' : `Did you mean ${meant}?`
  throw new ContextdError('NOT_FOUND', { what: `agent ${agent} in the rules`, hint })
}
