import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { refusalOf, reportInvalid, untilCancelled, type BridgeContext } from './bridge-context.ts'
import { dial } from './dial.ts'
import { connectProblem, FetchProblem } from './fetch-problem.ts'
import { noteConnection, reported } from './request-report.ts'
import { readAuthority } from './target.ts'

/**
 * `CONNECT host:443`: we see the destination but not the content. TLS is between both ends; the program verifies the
 * certificate itself. A grant limited to some methods opens no tunnel, because methods cannot be enforced inside it.
 */
export async function tunnel(request: IncomingMessage, head: Buffer, context: BridgeContext): Promise<void> {
  const { url = '', socket: client } = request
  const method = 'CONNECT'
  const destination = readAuthority(url)
  if (destination === undefined) {
    reportInvalid(context, method)
    refuse(client, new FetchProblem('invalid', 'this is not a valid host and port'))
    return
  }
  const named = { method, host: destination.host.name, port: destination.port }
  await reported(context.report, named, async (progress) => {
    try {
      const host = await untilCancelled(context, client, (signal) =>
        dial(destination, context.grants, { ...context, signal }),
      )
      noteConnection(progress, host)
      progress.status = 200
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      host.write(head)
      await join(client, host, context.idleMs)
    } catch (error) {
      progress.problem = connectProblem(error)
      refuse(client, progress.problem)
    }
  })
}

/** Forwards in both directions until both have ended. */
function join(client: Socket, host: Socket, idleMs: number): Promise<void> {
  return new Promise((resolve) => {
    client.once('close', () => {
      host.destroy()
      resolve()
    })
    // The host closes first when it is done; its last bytes may still be on their way to the program.
    host.once('close', () => client.writableEnded || client.destroy())
    // Traffic in either direction is traffic on both connections.
    host.setTimeout(idleMs, () => client.destroy())
    client.setTimeout(0)
    client.pipe(host)
    host.pipe(client)
  })
}

function refuse(client: Socket, problem: FetchProblem): void {
  const { status, phrase, text } = refusalOf(problem)
  const lines = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  client.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
