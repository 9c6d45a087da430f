import { hostname } from 'node:os'

import type { Runtime } from '../../../compose.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { requireOperator } from '@contextd/shared/operator'
import { certificateFingerprint, isoTime, serialOf, validityOf } from '../../../platform/tls/certificate.ts'
import { renewServer, setUpTls, requireTlsFolder } from '../../../platform/tls/changes.ts'
import { certificateHosts, plainHost } from '../../../platform/tls/host-names.ts'
import { readTlsFolder, type TlsFolder } from '../../../platform/tls/tls-folder.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { daemonStatus } from '../../../servers/local/running-daemon.ts'
import { withRuntime } from '../../support/with-runtime.ts'
import { tlsPlaceOf } from './place.ts'

interface Options extends JsonOption {
  readonly host?: readonly string[]
  readonly force?: true
}

export async function initTls({ host = [], force, json }: Options, io: CliIo): Promise<void> {
  const asked = host.map(readHost)
  await withRuntime(io, async (runtime) => {
    const { folder } = tlsPlaceOf(runtime)
    const found = force ? undefined : readTlsFolder(folder)
    const outcome =
      found === undefined ? await setUp(runtime, asked, io) : await addHosts(runtime, found, asked, io)
    const { authority, server } = requireTlsFolder(folder)
    const hosts = certificateHosts(server.certificate)
    if (json) {
      printJson(
        {
          outcome,
          folder,
          hosts,
          authority: certificateFingerprint(authority.certificate),
          not_after: isoTime(validityOf(authority.certificate).notAfter),
        },
        io,
      )
      return
    }
    printLine(outcomeTexts[outcome], io)
    printLine(`Server: ${hosts.join(', ')}`, io)
    if (outcome === 'made' && (await daemonStatus(runtime.paths)) !== undefined) {
      note('the running daemon opens its port to other machines after `ctxd stop` and `ctxd start`', io)
    }
  })
}

const outcomeTexts = {
  made: 'Created a certificate authority and a server certificate.',
  extended: 'Created a new server certificate.',
  there: 'The certificates are already set up.',
} as const

type Outcome = keyof typeof outcomeTexts

function readHost(text: string): string {
  const host = plainHost(text)
  if (host !== undefined) return host
  throw new ContextdError('USAGE', { problem: '--host must be a host name or an address, without a port' })
}

async function setUp(runtime: Runtime, asked: readonly string[], io: CliIo): Promise<Outcome> {
  const place = tlsPlaceOf(runtime)
  const { folder, clock, issued } = place
  const now = clock()
  const aside = isOccupied(folder) ? `${folder}.${stamp(now)}` : undefined
  const live = issued.liveCallers().length
  const hosts = [...new Set([...asked, ...ownHosts(runtime)])]
  await requireOperator({
    ...io,
    details: [
      `The new certificate authority is created in ${folder}.`,
      ...(aside === undefined ? [] : [`The existing folder is renamed to ${aside}.`]),
      ...(live === 0 ? [] : [`${counted(live, 'certificate')} of callers become invalid immediately.`]),
    ],
    question: `Create it, with a certificate for ${hosts.join(', ')}`,
  })
  setUpTls(place, hosts, aside)
  const { authority } = requireTlsFolder(folder)
  runtime.audit.event('tls-set-up', {
    authority: certificateFingerprint(authority.certificate),
    hosts,
    ended: live,
  })
  return 'made'
}

/** An empty folder counts as none; a damaged one does not. */
function isOccupied(folder: string): boolean {
  try {
    return readTlsFolder(folder) !== undefined
  } catch {
    return true
  }
}

/** `20261115T183000Z` */
function stamp(now: number): string {
  return isoTime(now).replace(/[-:]|\.\d+/g, '')
}

/** Names this machine always has. */
function ownHosts({ config }: Runtime): string[] {
  const { http, control } = config
  return (
    ['localhost', '127.0.0.1', '::1', hostname(), control.host, http.host, ...http.allowed_hosts]
      .map(plainHost)
      .filter((host) => host !== undefined)
      // A wildcard address is not a name of this machine.
      .filter((host) => host !== '0.0.0.0' && host !== '::')
  )
}

async function addHosts(
  runtime: Runtime,
  { server }: TlsFolder,
  asked: readonly string[],
  io: CliIo,
): Promise<Outcome> {
  const named = certificateHosts(server.certificate)
  const added = asked.filter((host) => !named.includes(host))
  if (added.length === 0) return 'there'
  await requireOperator({
    ...io,
    question: `Create a new server certificate, also for ${added.join(', ')}`,
  })
  const { certificate } = renewServer(tlsPlaceOf(runtime), [...added, ...named])
  runtime.audit.event('certificate-renewed', {
    kind: 'server',
    serial: serialOf(certificate),
    not_after: isoTime(validityOf(certificate).notAfter),
    hosts: added,
  })
  return 'extended'
}
