/**
 * The proxy of a sandbox without network. Without it, package managers retry for half a minute and programs say only
 * that a name cannot be resolved. It connects to nothing: it answers every request with 403 and the grant that would
 * allow it, and reports the host to contextd.
 */

import { bridgeEnv, bridgePort } from './forward.ts'

/**
 * Makes programs use the proxy. pip, uv and cargo would retry what it refused for about ten seconds. npm and pip would
 * look for newer versions of themselves: nobody asked for that, and each answer would explain at length why it was
 * refused.
 */
export const refusalEnv: Readonly<Record<string, string>> = {
  ...bridgeEnv({ toLoopback: false }),
  PIP_RETRIES: '0',
  UV_HTTP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  npm_config_update_notifier: 'false',
}

/**
 * As text, because a bundle has no other files. Its arguments are the descriptor for reports and, if another program
 * has opened the port already, that of the port. Prints `ready` otherwise.
 */
export const refuseScript = `const { createServer } = process.getBuiltinModule('node:http')
const { writeSync } = process.getBuiltinModule('node:fs')
const [report, fd] = process.argv.slice(2).map(Number)
const seen = new Set()
const refuse = (method, text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url?.hostname) return 'contextd: this is not a valid URL\\n'
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const line = 'refused ' + method + ' ' + url.hostname + ':' + port + '\\n'
  if (!seen.has(line) && seen.size < 100 && line.length < 300) writeSync(report, line)
  seen.add(line)
  const grant = 'http:fetch:' + url.hostname + (port === '80' || port === '443' ? '' : ':' + port)
  return 'contextd: no grant covers this host; the user can add "' + grant + '" to allow.capabilities of this agent\\n'
}
const server = createServer((request, response) => {
  const text = refuse(request.method, request.url)
  response.writeHead(403, 'Forbidden by contextd', { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
  response.end(text)
})
server.on('connect', (request, socket) => {
  const colon = request.url.lastIndexOf(':')
  const scheme = request.url.slice(colon) === ':80' ? 'http://' : 'https://'
  const text = refuse('CONNECT', scheme + request.url)
  const head = ['HTTP/1.1 403 Forbidden by contextd', 'Content-Type: text/plain; charset=utf-8',
    'Content-Length: ' + Buffer.byteLength(text), 'Connection: close']
  socket.on('error', () => {}).end(head.join('\\r\\n') + '\\r\\n\\r\\n' + text)
})
server.on('clientError', (_, socket) => socket.destroy())
if (fd > 0) server.listen({ fd })
else server.listen(${bridgePort}, '127.0.0.1', () => process.stdout.write('ready\\n'))
`

/**
 * Opens the port, and becomes the given program at the first connection. Node takes longer to start than most commands
 * take to run, and most request nothing. The numbers are those of AF_INET, SOCK_STREAM and TCP.
 */
export const waitForRequest = [
  // Descriptors up to this one are passed on.
  '$^F = 9',
  `socket(S, 2, 1, 6) && bind(S, pack("S n a4 x8", 2, ${bridgePort}, "\\x7f\\0\\0\\1")) && listen(S, 128) or die "$!\\n"`,
  '$| = 1; print "ready\\n"',
  'vec($r, fileno(S), 1) = 1; select($r, undef, undef, undef)',
  'exec @ARGV, fileno(S)',
].join('; ')
