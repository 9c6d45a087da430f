/**
 * The inner end of the connection to granted hosts. A sandbox has no network but its own loopback. Programs there find
 * a proxy, this script, which forwards every connection to a Unix socket; contextd decides at the other end. Granted
 * services of the user are at their own addresses, each with a separate socket. The script decides nothing, so
 * tampering with it gains nothing.
 */

/** Of both proxies: this one, and the one of a sandbox without network. */
export const bridgePort = 3128

/**
 * As text, because a bundle has no other files. Write it to a file ending in `.cjs`: Node loads modules with a thread
 * pool, and every thread uses up a limit of the sandbox. Its arguments are the socket of the proxy, and for each service
 * `socket,address,port`. Prints `ready` once it accepts connections.
 */
export const bridgeScript = `const { connect, createServer } = process.getBuiltinModule('node:net')
const pass = (from, to) => from.on('error', () => to.destroy()).pipe(to)
const take = (path) => (inner) => {
  const outer = connect({ path, allowHalfOpen: true })
  pass(inner, outer)
  pass(outer, inner)
}
const open = (path, host, port) => new Promise((resolve) => {
  const fail = ({ code }) => resolve(process.stderr.write('contextd: ' + host + ':' + port + ' is not available inside: ' + code + '\\n'))
  createServer({ allowHalfOpen: true }, take(path)).on('error', fail).listen(port, host, resolve)
})
const [proxy, ...services] = process.argv.slice(2)
const others = services.map((one) => open(...one.split(',')))
Promise.all([open(proxy, '127.0.0.1', ${bridgePort}), ...others]).then(() => process.stdout.write('ready\\n'))
`

const proxy = `http://127.0.0.1:${bridgePort}`
/** Programs started in the sandbox connect to each other directly, by every name that refers to it. */
const direct = 'localhost,sandbox,127.0.0.1,0.0.0.0,::1'

/**
 * Makes programs use the proxy: curl, git, npm, pip, cargo, go and wget read one or the other, Node from 22.21 only if
 * enabled. Not for the script itself. `toLoopback`: the machine's loopback is granted, so its names refer to the
 * machine.
 */
export function bridgeEnv({ toLoopback }: { toLoopback: boolean }): Readonly<Record<string, string>> {
  const exempt = toLoopback ? '' : direct
  return {
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    no_proxy: exempt,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: exempt,
    NODE_USE_ENV_PROXY: '1',
  }
}
