import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/**
 * A port of 127.0.0.1 that is nobody's now and is given to nobody else while this process lives: it is none of those that
 * systems give to who asks for any, and whoever chooses in this way finds it held on another address of the machine.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 16_000)
    if ((await listening('127.0.0.2', port)) === 'taken') continue
    const probe = await listening('127.0.0.1', port)
    if (typeof probe === 'string') continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}

/** Not every system has the other address. */
function listening(host: string, port: number): Promise<Server | 'taken' | 'not here'> {
  const server = createServer().unref()
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRNOTAVAIL' ? 'not here' : 'taken'),
    )
    server.listen(port, host, () => resolve(server))
  })
}
