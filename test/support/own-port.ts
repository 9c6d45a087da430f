import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/**
 * A port of 127.0.0.1 that is free and stays reserved while this process lives. It is outside the range of ephemeral
 * ports, and other users of this function find it in use on another loopback address.
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

/** The other address does not exist on every system. */
function listening(host: string, port: number): Promise<Server | 'taken' | 'not here'> {
  const server = createServer().unref()
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRNOTAVAIL' ? 'not here' : 'taken'),
    )
    server.listen(port, host, () => resolve(server))
  })
}
