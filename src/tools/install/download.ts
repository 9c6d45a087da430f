/** Downloads one file, with a size limit, completely or not at all. */

import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { VERSION } from '@contextd/shared/version'
import { specialKindOf } from '../http/addresses.ts'
import { dial, lookupName, secure, type Lookup } from '../http/dial.ts'
import { responseProblem, FetchProblem } from '../http/fetch-problem.ts'
import type { HostGrants } from '../http/host-grants.ts'
import { hostHeader, isSameOrigin, readTarget, type RequestTarget } from '../http/target.ts'
import { limitTime } from '../http/time-limit.ts'
import { sourceUnavailable } from './problems.ts'

export interface DownloadOptions {
  readonly maxBytes: number
  readonly lookup?: Lookup | undefined
  /** The trusted certificate authorities, instead of Node's. */
  readonly ca?: string | undefined
  /** Additional headers. Redirects are not followed then: the headers are for this host only. */
  readonly headers?: Readonly<Record<string, string>>
  readonly onProgress?: ((progress: { done: number; total?: number }) => void) | undefined
}

const maxRedirects = 5
/** Without receiving a byte. */
const idleMs = 30_000
const wholeMs = 30 * 60_000

/** Throws SOURCE_UNAVAILABLE. */
export async function download(url: string, options: DownloadOptions): Promise<Buffer> {
  const time = limitTime(wholeMs)
  try {
    const first = targetOf(url)
    let target = first
    for (let redirect = 0; redirect <= maxRedirects; redirect++) {
      const answer = await exchange(target, first, options, time.signal)
      if (Buffer.isBuffer(answer)) return answer
      if (options.headers !== undefined) throw sourceUnavailable('the server redirects to another URL')
      target = followed(answer.location, target, first)
    }
    throw sourceUnavailable('the server redirects too many times')
  } catch (error) {
    throw error instanceof FetchProblem ? sourceUnavailable(error.message) : error
  } finally {
    time.stop()
  }
}

function targetOf(url: string): RequestTarget {
  const target = readTarget(url)
  if (typeof target === 'string') throw sourceUnavailable(target)
  return target
}

/** The server chooses the redirect target, so that must be encrypted and (see `reachable`) not an internal address. */
function followed(location: string, from: RequestTarget, first: RequestTarget): RequestTarget {
  if (!URL.canParse(location, from.url)) throw sourceUnavailable('the server redirects to an invalid URL')
  const target = readTarget(new URL(location, from.url).href)
  if (typeof target === 'string')
    throw sourceUnavailable('the server redirects to something other than a web URL')
  if (!target.secure && !isSameOrigin(target, first))
    throw sourceUnavailable('the server redirects to an unencrypted URL')
  return target
}

/** The user may name any host; redirects may only lead to the public internet. */
function reachable(target: RequestTarget, first: RequestTarget): HostGrants {
  const isMeant = isSameOrigin(target, first)
  return {
    whyNot({ host }, address = host.address) {
      const kind = isMeant || address === undefined ? undefined : specialKindOf(address)
      return kind === undefined ? undefined : `the server redirects to an address that is ${kind}`
    },
  }
}

async function exchange(
  target: RequestTarget,
  first: RequestTarget,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Buffer | { location: string }> {
  const { lookup = lookupName, ca } = options
  const { host, port } = target
  const socket = await dial({ method: 'GET', host, port }, reachable(target, first), { lookup, signal })
  const stop = (): void => void socket.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const connection = target.secure ? await secure(socket, host, { ca, signal }) : socket
    const response = await send(target, connection, options.headers ?? {})
    const { statusCode = 0 } = response
    const { location } = response.headers
    if (statusCode >= 300 && statusCode < 400 && location !== undefined) return { location }
    if (statusCode !== 200) throw sourceUnavailable(`the server answered with status ${statusCode}`)
    return await readWhole(response, options)
  } catch (error) {
    if (error instanceof CodedError) throw error
    signal.throwIfAborted()
    throw responseProblem(error)
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

function send(
  target: RequestTarget,
  connection: Socket,
  more: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const message = httpRequest({
      createConnection: () => connection,
      method: 'GET',
      path: target.path,
      setHost: false,
      headers: {
        'user-agent': `contextd/${VERSION}`,
        accept: '*/*',
        // The bytes received must be the ones whose hash is known.
        'accept-encoding': 'identity',
        ...more,
        host: hostHeader(target),
        connection: 'close',
      },
    })
    message.setTimeout(idleMs, () =>
      message.destroy(new FetchProblem('timeout', 'the server stopped answering')),
    )
    message.on('response', resolve)
    message.on('error', reject)
    message.end()
  })
}

async function readWhole(
  response: IncomingMessage,
  { maxBytes, onProgress }: DownloadOptions,
): Promise<Buffer> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw sourceUnavailable('the server compresses the file again')
  const length = response.headers['content-length']
  const total = length === undefined ? undefined : Number(length)
  const tooLarge = (): ContextdError =>
    new ContextdError('ARCHIVE_REFUSED', { problem: `the archive is larger than ${maxBytes / 1_048_576} MB` })
  if (total !== undefined && total > maxBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let done = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    done += chunk.length
    if (done > maxBytes) throw tooLarge()
    chunks.push(chunk)
    onProgress?.({ done, ...(total !== undefined && { total }) })
  }
  return Buffer.concat(chunks)
}
