/**
 * Which TCP ports belong to contextd, across all its processes and configurations. Agents must not reach them by any
 * grant. A mark is an abstract Unix socket: the kernel removes it with its process, so none outlives its port.
 */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

/** Why a connection is refused. */
export const ownPortReason = 'the port belongs to contextd, which agents cannot connect to by any grant'

const prefix = 'contextd-port-'

/** Marks the port until its server closes. Linux only, as is the sandbox that needs the marks. */
export async function markOwnPort(server: Server, port: number): Promise<void> {
  if (process.platform !== 'linux') return
  const mark = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    mark.once('error', reject)
    mark.listen(`\0${prefix}${port}-${randomBytes(8).toString('hex')}`, resolve)
  })
  mark.unref()
  server.once('close', () => mark.close())
}

/** The configured ports are contextd's even while nothing listens there. */
export function createOwnPorts(configured: readonly number[]): (port: number) => boolean {
  return (port) =>
    configured.includes(port) || readFileSync('/proc/net/unix', 'latin1').includes(`@${prefix}${port}-`)
}
