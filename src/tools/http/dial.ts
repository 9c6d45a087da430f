import { lookup as systemLookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { parseAddress } from './addresses.ts'
import { connectProblem, FetchProblem, tlsProblem } from './fetch-problem.ts'
import { missingGrant, type GrantedDestination, type HostGrants } from './host-grants.ts'
import type { Host } from './target.ts'

/** Resolves a name to all its addresses. */
export type Lookup = (name: string) => Promise<readonly string[]>

export const lookupName: Lookup = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address)

/** A name may resolve to many; no client tries more. */
const maxAddresses = 8
/** After this the next address is tried; the last one gets the remaining time. */
const attemptMs = 1000

/**
 * Connects to a granted host. The name is checked before it is resolved, resolved once, and the connection uses the
 * addresses that were checked: a second DNS answer changes nothing.
 */
export async function dial(
  destination: GrantedDestination,
  grants: HostGrants,
  { lookup, signal }: { lookup: Lookup; signal: AbortSignal },
): Promise<Socket> {
  const reason = grants.whyNot(destination)
  if (reason !== undefined) {
    throw new FetchProblem('not_granted', reason, { grant: missingGrant(reason, destination) })
  }
  const found = await namedAddresses(destination.host, lookup, signal)
  const addresses = grantedAddresses(destination, grants, found)
  signal.throwIfAborted()
  const socket = connect({
    host: destination.host.name,
    port: destination.port,
    lookup: (_name, _options, done) => done(null, addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    noDelay: true,
    // A peer that has finished sending may still be receiving.
    allowHalfOpen: true,
  })
  await settled(socket, 'connect', signal, connectProblem)
  return socket
}

async function namedAddresses(host: Host, lookup: Lookup, signal: AbortSignal): Promise<readonly string[]> {
  if (host.address !== undefined) return [host.name]
  signal.throwIfAborted()
  const words = 'the name of the host cannot be resolved'
  const found = await new Promise<readonly string[]>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    lookup(host.name)
      .then(resolve, (error: unknown) => reject(new FetchProblem('unresolvable', words, { cause: error })))
      .finally(() => signal.removeEventListener('abort', stop))
  })
  if (found.length === 0) throw new FetchProblem('unresolvable', words)
  return found
}

function grantedAddresses(
  destination: GrantedDestination,
  grants: HostGrants,
  found: readonly string[],
): { address: string; family: 4 | 6 }[] {
  let refused = new FetchProblem('not_granted', 'the host has no address that can be checked')
  const granted = found.flatMap((text) => {
    const address = parseAddress(text)
    if (address === undefined) return []
    const reason = grants.whyNot(destination, address)
    if (reason === undefined) return [{ address: text, family: address.family }]
    refused = new FetchProblem('not_granted', reason, { grant: missingGrant(reason, destination, text) })
    return []
  })
  if (granted.length === 0) throw refused
  return granted.slice(0, maxAddresses)
}

/** Starts TLS, and verifies the certificate against the requested name, whatever the address. */
export async function secure(
  socket: Socket,
  host: Host,
  { ca, signal }: { ca: string | undefined; signal: AbortSignal },
): Promise<Socket> {
  const encrypted = connectTls({
    socket,
    host: host.name,
    ...(host.address === undefined && { servername: host.name }),
    ALPNProtocols: ['http/1.1'],
    // Set explicitly: an environment variable can disable verification.
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  await settled(encrypted, 'secureConnect', signal, tlsProblem)
  return encrypted
}

/** Waits for the event. Closes the socket on any failure. */
async function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  problemOf: (error: unknown) => FetchProblem,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', stop)
      socket.destroy()
      reject(error)
    }
    const stop = (): void => fail(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    // Not removed: a later error is reported by the socket's user, and must not end the process.
    socket.on('error', (error) => fail(problemOf(error)))
    socket.once('close', () => fail(problemOf(undefined)))
    socket.once(event, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}
