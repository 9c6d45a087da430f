import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { ContextdError } from '../../core/errors/errors.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'

/** The kernel's limit for a socket path; a longer one is truncated without an error. */
const maxPathLength = 107
const ending = '.bridge'

/** Listens on a new socket in a folder that only this user can access. */
export async function listenInFolder(server: Server, folder: string): Promise<string> {
  ensurePrivateFolder(folder)
  const path = join(folder, `${randomBytes(8).toString('hex')}${ending}`)
  const failed = (cause: string): ContextdError =>
    new ContextdError('LISTEN_FAILED', { address: path, cause })
  if (Buffer.byteLength(path) > maxPathLength) throw failed(`longer than ${maxPathLength} bytes`)
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(failed(message)))
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return path
}

/** Removes the sockets of killed processes. Others may be using the same folder; their sockets answer. */
export async function removeDeadBridges(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const paths = readdirSync(folder).filter((name) => name.endsWith(ending))
  const isDead = await Promise.all(paths.map((name) => nobodyListens(join(folder, name))))
  for (const [at, name] of paths.entries())
    if (isDead[at] === true) rmSync(join(folder, name), { force: true })
}

/** Checked twice: between its creation and its first connection a socket looks dead for a moment. */
async function nobodyListens(path: string): Promise<boolean> {
  if (!(await isRefused(path))) return false
  await pause(50)
  return isRefused(path)
}

function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'))
  })
}
