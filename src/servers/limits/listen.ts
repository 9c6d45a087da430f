import { chmodSync, lstatSync, rmSync } from 'node:fs'
import type { AddressInfo, ListenOptions, Server } from 'node:net'

import { ContextdError } from '../../core/errors/errors.ts'

/** What the kernel takes as a socket name; a longer one is cut without an error, and we would listen elsewhere. */
const maxPath = 107

/** Only this user can connect: the socket is theirs alone, and so is the folder it lies in. */
export async function listenOnSocket(server: Server, path: string): Promise<string> {
  if (Buffer.byteLength(path) > maxPath) {
    const hint = 'Set CONTEXTD_HOME or XDG_RUNTIME_DIR to a folder with a shorter name.'
    throw new ContextdError('LISTEN_FAILED', { address: path, cause: `longer than ${maxPath} bytes`, hint })
  }
  // A live daemon holds the pid file, so whatever lies here now was left behind by a dead one.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw failed(
      path,
      'a folder lies there',
      'It is not ours and was left alone. Move it away and start again.',
    )
  }
  rmSync(path, { force: true })
  await listening(server, { path }, path)
  chmodSync(path, 0o600)
  const { uid, mode } = lstatSync(path)
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    server.close()
    throw failed(path, 'others could connect to it: its owner or mode is not the one we gave it')
  }
  return path
}

export interface Port {
  readonly host: string
  readonly port: number
  /** What the host is called in the answer, where that is not its name. */
  readonly shownAs?: string
  /** What to do where it is taken, where that is not about the port of HTTP. */
  readonly hint?: string
}

/** Answers `host:port`. */
export async function listenOnPort(
  server: Server,
  { host, port, shownAs = host, hint }: Port,
): Promise<string> {
  const name = shownAs.includes(':') ? `[${shownAs}]` : shownAs
  await listening(server, { host, port }, `${name}:${port}`, hint)
  return `${name}:${(server.address() as AddressInfo).port}`
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
