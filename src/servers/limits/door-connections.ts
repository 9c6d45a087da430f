import type { Server, Socket } from 'node:net'

import { ContextdError } from '../../core/errors/errors.ts'
import type { DoorLimits, LimitHit, OnLimitHit } from './door-limits.ts'
import { counted } from '@contextd/shared/text/counted'

/**
 * Tracks connections by authenticated caller. Unauthenticated ones cannot crowd out callers: if there are too many,
 * the oldest one from the address with the most is closed.
 */
export interface DoorConnections {
  /** Counts a connection for an authenticated caller. Throws CALLER_LIMITED if it exceeds a limit. */
  admit(socket: Socket, caller: string): void
  /** Closes all unauthenticated connections. */
  endStrangers(): void
}

export function watchConnections(
  server: Server,
  { maxConnections, maxPerCaller, maxStrangers }: DoorLimits,
  onLimitHit: OnLimitHit,
): DoorConnections {
  const unauthenticated = new Map<string, Socket>()
  const callerOf = new Map<string, string>()
  const counts = new Map<string, number>()

  const leave = (key: string): void => {
    const caller = callerOf.get(key)
    if (caller === undefined) return
    callerOf.delete(key)
    const left = (counts.get(caller) ?? 1) - 1
    if (left > 0) counts.set(caller, left)
    else counts.delete(caller)
  }

  const refuse = (which: LimitHit, limit: string): never => {
    onLimitHit(which)
    const hint = 'Close unneeded connections, such as event streams, and try again.'
    throw new ContextdError('CALLER_LIMITED', { limit, hint })
  }

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    if (key === undefined) return
    const crowded = unauthenticated.size >= maxStrangers ? oldestOfBusiestAddress(unauthenticated) : undefined
    if (crowded !== undefined) {
      unauthenticated.delete(crowded.key)
      crowded.socket.destroy()
      onLimitHit('strangers')
    }
    unauthenticated.set(key, socket)
    socket.once('close', () => {
      unauthenticated.delete(key)
      leave(key)
    })
  })

  return {
    admit(socket, caller) {
      const key = keyOf(socket)
      // The connection has closed in the meantime.
      if (key === undefined || callerOf.get(key) === caller) return
      if ((counts.get(caller) ?? 0) >= maxPerCaller) refuse('caller', counted(maxPerCaller, 'connection'))
      if (callerOf.size >= maxConnections) {
        refuse('all', `${counted(maxConnections, 'connection')}, shared by all callers`)
      }
      leave(key)
      unauthenticated.delete(key)
      callerOf.set(key, caller)
      counts.set(caller, (counts.get(caller) ?? 0) + 1)
    },
    endStrangers() {
      for (const socket of unauthenticated.values()) socket.destroy()
    },
  }
}

/** The same for a socket and its TLS wrapper, which are two objects. */
function keyOf({ remoteAddress, remotePort }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`
}

function oldestOfBusiestAddress(
  unauthenticated: ReadonlyMap<string, Socket>,
): { key: string; socket: Socket } | undefined {
  const byAddress = new Map<string, { key: string; socket: Socket; count: number }>()
  for (const [key, socket] of unauthenticated) {
    const address = key.slice(0, key.indexOf(' '))
    const known = byAddress.get(address)
    if (known === undefined) byAddress.set(address, { key, socket, count: 1 })
    else known.count += 1
  }
  return [...byAddress.values()].reduce((busiest, one) => (one.count > busiest.count ? one : busiest))
}
