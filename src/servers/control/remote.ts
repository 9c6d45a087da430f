/** The API of contextd on another machine, over HTTP/2 and mTLS. */

import { connect, type ClientHttp2Session } from 'node:http2'

import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { readClientTls } from '../../platform/tls/client-files.ts'

export interface RemotePlace {
  /** `host:7392` */
  readonly address: string
  /** The folder with `cert.pem`, `key.pem` and `ca.pem`, as written by `ctxd tls issue`. */
  readonly folder: string
}

export interface RemoteApi {
  /** Throws the error returned by the server, or DAEMON_UNREACHABLE, DAEMON_LOST, CANCELLED, TIMEOUT. */
  call(rpc: string, request: JsonObject, options?: RemoteOptions): Promise<JsonObject>
  /** Resolves to the result, which is the last message of streams that have one, else `{}`. */
  stream(
    rpc: string,
    request: JsonObject,
    onEvent: (event: JsonObject) => void,
    options?: RemoteOptions,
  ): Promise<JsonObject>
  close(): void
}

export interface RemoteOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Sent as `contextd-agent` and `contextd-session`. */
  readonly agent?: string
  readonly session?: string
}

/** From `CONTEXTD_ADDR` and `CONTEXTD_TLS`. */
export function remotePlace(env: NodeJS.ProcessEnv): RemotePlace {
  const { CONTEXTD_ADDR: address = '', CONTEXTD_TLS: folder } = env
  if (!folder) {
    throw new ContextdError('USAGE', {
      problem: 'CONTEXTD_ADDR is set and CONTEXTD_TLS is not',
      hint: 'Set CONTEXTD_TLS to the folder that `ctxd tls issue` wrote, with cert.pem, key.pem and ca.pem.',
    })
  }
  return { address, folder }
}

/** Connects. An unusable certificate is reported before anything is sent. */
export async function openRemote(place: RemotePlace): Promise<RemoteApi> {
  const [session, { callsOver }] = await Promise.all([connected(place), import('./remote-calls.ts')])
  return { ...callsOver(session, `https://${place.address}`), close: () => session.close() }
}

const connectMs = 10_000

function connected({ address, folder }: RemotePlace): Promise<ClientHttp2Session> {
  const unreachable = (why: string, hint?: string): ContextdError =>
    new ContextdError('DAEMON_UNREACHABLE', { address, why, hint })
  return new Promise((resolve, reject) => {
    const isAddress = /^(?:\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(address)
    if (!isAddress || !URL.canParse(`https://${address}`)) {
      return reject(
        unreachable('it is not host:port', 'Set CONTEXTD_ADDR to something like build.example.org:7392.'),
      )
    }
    const session = connect(`https://${address}`, { ...readClientTls(folder), minVersion: 'TLSv1.3' })
    const late = setTimeout(() => session.destroy(new Error('it does not answer')), connectMs)
    session.once('connect', () => {
      clearTimeout(late)
      resolve(session)
    })
    // Stays attached: a connection lost later fails every call on it.
    session.on('error', (error) => {
      clearTimeout(late)
      reject(unreachable(reasonOf(error)))
    })
  })
}

const notOurs = 'its certificate was not issued by the authority in CONTEXTD_TLS'
const wrongTime = "its certificate is not valid by this machine's clock"
const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'there is no such host'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for other host names'],
  ['CERT_HAS_EXPIRED', wrongTime],
  ['CERT_NOT_YET_VALID', wrongTime],
  ['SELF_SIGNED_CERT_IN_CHAIN', notOurs],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', notOurs],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', notOurs],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', notOurs],
])

/** Our own wording where Node's message is unclear. */
function reasonOf({ code = '', message }: Error & { code?: string }): string {
  return reasons.get(code) ?? (message.includes('alert') ? 'it refused our certificate' : message)
}
