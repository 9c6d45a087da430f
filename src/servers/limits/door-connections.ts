import type { Server, Socket } from 'node:net'

import { ContextdError } from '../../core/errors/errors.ts'
import type { DoorLimits, LimitHit, OnLimitHit } from './door-limits.ts'

/**
 * Connections by the caller that has shown to be behind them. Strangers cannot keep callers out: where there are too many of them,
 * one of the address that has the most makes room, the one that has been there longest.
 */
export interface DoorConnections {
  /** Counts a connection for a caller that has shown who it is. Throws CALLER_LIMITED where it is one too many. */
  admit(socket: Socket, caller: string): void
  /** Nobody waits for a handshake or a request any more. */
  endStrangers(): void
}

export function watchConnections(
  server: Server,
  { maxConnections, maxPerCaller, maxStrangers }: DoorLimits,
  onLimitHit: OnLimitHit,
): DoorConnections {
  const strangers = new Map<string, Socket>()
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
    const hint = 'Close what is not needed, such as event streams, and try again.'
    throw new ContextdError('CALLER_LIMITED', { limit, hint })
  }

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    if (key === undefined) return
    const crowded = strangers.size >= maxStrangers ? oldestOfBusiestAddress(strangers) : undefined
    if (crowded !== undefined) {
      strangers.delete(crowded.key)
      crowded.socket.destroy()
      onLimitHit('strangers')
    }
    strangers.set(key, socket)
    socket.once('close', () => {
      strangers.delete(key)
      leave(key)
    })
  })

  return {
    admit(socket, caller) {
      const key = keyOf(socket)
      // A connection that is gone already takes no room.
      if (key === undefined || callerOf.get(key) === caller) return
      if ((counts.get(caller) ?? 0) >= maxPerCaller) refuse('caller', `${maxPerCaller} connections`)
      if (callerOf.size >= maxConnections) {
        refuse('all', `${maxConnections} connections, which all callers share`)
      }
      leave(key)
      strangers.delete(key)
      callerOf.set(key, caller)
      counts.set(caller, (counts.get(caller) ?? 0) + 1)
    },
    endStrangers() {
      for (const socket of strangers.values()) socket.destroy()
    },
  }
}

/** The same for a connection and for what TLS makes of it, which are two objects. */
function keyOf({ remoteAddress, remotePort }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`
}

function oldestOfBusiestAddress(
  strangers: ReadonlyMap<string, Socket>,
): { key: string; socket: Socket } | undefined {
  const byAddress = new Map<string, { key: string; socket: Socket; count: number }>()
  for (const [key, socket] of strangers) {
    const address = key.slice(0, key.indexOf(' '))
    const known = byAddress.get(address)
    if (known === undefined) byAddress.set(address, { key, socket, count: 1 })
    else known.count += 1
  }
  return [...byAddress.values()].reduce((most, one) => (one.count > most.count ? one : most))
}
