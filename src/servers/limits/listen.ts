import { chmodSync, lstatSync, rmSync } from 'node:fs'
import type { AddressInfo, ListenOptions, Server } from 'node:net'

import { ContextdError } from '../../core/errors/errors.ts'
import { markOwnPort } from '../../platform/own-ports.ts'

/** The kernel's limit for socket paths; longer ones are silently truncated, so we would listen elsewhere. */
const maxPathBytes = 107

/** Only this user can connect: they own the socket, and its folder is private. */
export async function listenOnSocket(server: Server, path: string): Promise<string> {
  if (Buffer.byteLength(path) > maxPathBytes) {
    const hint = 'Set CONTEXTD_HOME or XDG_RUNTIME_DIR to a folder with a shorter name.'
    throw new ContextdError('LISTEN_FAILED', {
      address: path,
      cause: `longer than ${maxPathBytes} bytes`,
      hint,
    })
  }
  // A running daemon holds the pid file, so anything here was left behind by a dead one.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw failed(
      path,
      'a folder exists at that path',
      'contextd did not create it and left it unchanged. Move it away and start again.',
    )
  }
  rmSync(path, { force: true })
  await listening(server, { path }, path)
  chmodSync(path, 0o600)
  const { uid, mode } = lstatSync(path)
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    server.close()
    throw failed(path, 'other users could connect to it: its owner or mode is not what contextd set')
  }
  return path
}

export interface Port {
  readonly host: string
  readonly port: number
  /** Host name in the returned address, if it differs. */
  readonly shownAs?: string
  /** What to do if the port is taken, unless the HTTP port is meant. */
  readonly hint?: string
}

/** Returns `host:port`. */
export async function listenOnPort(
  server: Server,
  { host, port, shownAs = host, hint }: Port,
): Promise<string> {
  const name = shownAs.includes(':') ? `[${shownAs}]` : shownAs
  await listening(server, { host, port }, `${name}:${port}`, hint)
  const opened = (server.address() as AddressInfo).port
  await markOwnPort(server, opened)
  return `${name}:${opened}`
}

function listening(server: Server, where: ListenOptions, address: string, hint?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(failed(address, error.message, hint))
    server.once('error', fail)
    server.listen(where, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

function failed(address: string, cause: string, hint?: string): ContextdError {
  return new ContextdError('LISTEN_FAILED', { address, cause, hint })
}
