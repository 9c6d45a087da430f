import { connect, type Socket } from 'node:net'

/** Sends raw text and returns everything the server sends until it closes the connection. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const socket = rawConnection(url)
  socket.write(text)
  return answerOn(socket)
}

/** A raw connection for invalid input. */
export function rawConnection(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => {})
}

export async function answerOn(socket: Socket): Promise<string> {
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk) => (received += String(chunk)))
  await new Promise((resolve) => socket.once('close', resolve))
  return received
}

/** The status of a response; 0 if there was none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}
