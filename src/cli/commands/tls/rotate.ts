import type { Runtime } from '../../../compose.ts'
import { requireOperator } from '@contextd/shared/operator'
import { certificateFingerprint } from '../../../platform/tls/certificate.ts'
import { finishRotation, rotationOf, startRotation, requireTlsFolder } from '../../../platform/tls/changes.ts'
import { printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { withRuntime } from '../../support/with-runtime.ts'
import { tlsPlaceOf } from './place.ts'

export async function rotateAuthority(
  { finish, json }: JsonOption & { readonly finish?: true },
  io: CliIo,
): Promise<void> {
  await withRuntime(io, async (runtime) => {
    const text = finish ? await finishHere(runtime, io) : await startHere(runtime, io)
    const folder = requireTlsFolder(runtime.paths.tls)
    const authority = certificateFingerprint(folder.authority.certificate)
    if (json) printJson({ rotation: rotationOf(folder), authority }, io)
    else printLine(text, io)
  })
}

async function startHere(runtime: Runtime, io: CliIo): Promise<string> {
  const place = tlsPlaceOf(runtime)
  if (rotationOf(requireTlsFolder(place.folder)) === 'open') {
    return 'A rotation is in progress. `ctxd tls rotate --finish` retires the old authority.'
  }
  await requireOperator({
    ...io,
    details: ['Existing certificates stay valid until `ctxd tls rotate --finish`.'],
    question: 'Create a new certificate authority next to the old one',
  })
  startRotation(place)
  runtime.audit.event('tls-rotation-started', { authority: authorityOf(runtime) })
  return 'The new authority is active. Issue new certificates, then run `ctxd tls rotate --finish`.'
}

async function finishHere(runtime: Runtime, io: CliIo): Promise<string> {
  const place = tlsPlaceOf(runtime)
  const folder = requireTlsFolder(place.folder)
  if (rotationOf(folder) !== 'open') return 'No rotation in progress.'
  const current = certificateFingerprint(folder.authority.certificate)
  const ending = place.issued.liveCallers().filter(({ authority }) => authority !== current)
  await requireOperator({
    ...io,
    details: ending.map(({ serial, kind, name }) => `  ${serial}  ${kind} ${name}`),
    question:
      ending.length === 0
        ? 'Retire the old authority; no caller has a certificate from it'
        : `Retire the old authority and ${counted(ending.length, 'certificate')} it issued`,
  })
  const ended = finishRotation(place)
  runtime.audit.event('tls-rotation-finished', { authority: authorityOf(runtime), ended })
  return `The old authority is retired, with ${counted(ended, 'certificate')}.`
}

function authorityOf({ paths }: Runtime): string {
  return certificateFingerprint(requireTlsFolder(paths.tls).authority.certificate)
}
