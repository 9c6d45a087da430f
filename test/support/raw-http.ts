import { connect, type Socket } from 'node:net'

/** Everything a server says until it closes the connection; what was sent goes out as it is. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const socket = rawConnection(url)
  socket.write(text)
  return answerOn(socket)
}

/** A connection that may be used badly. */
export function rawConnection(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => {})
}

export async function answerOn(socket: Socket): Promise<string> {
  let said = ''
  socket.setEncoding('utf8').on('data', (chunk) => (said += String(chunk)))
  await new Promise((resolve) => socket.once('close', resolve))
  return said
}

/** `418` of an answer; 0 where there was none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}
