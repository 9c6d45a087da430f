/**
 * The inner end of the connection to granted hosts. A sandbox has no network but its own loopback. Programs there find
 * a proxy, this script, which forwards every connection to the Unix socket given as its argument; contextd decides at
 * the other end. The script decides nothing, so tampering with it gains nothing.
 */

/** Of both proxies: this one, and the one of a sandbox without network. */
export const bridgePort = 3128

/**
 * As text, because a bundle has no other files. Write it to a file ending in `.cjs`: Node loads modules with a thread
 * pool, and every thread uses up a limit of the sandbox. Prints `ready` once it accepts connections.
 */
export const bridgeScript = `const { connect, createServer } = process.getBuiltinModule('node:net')
const path = process.argv[2]
const pass = (from, to) => from.on('error', () => to.destroy()).pipe(to)
const take = (inner) => {
  const outer = connect({ path, allowHalfOpen: true })
  pass(inner, outer)
  pass(outer, inner)
}
createServer({ allowHalfOpen: true }, take).listen(${bridgePort}, '127.0.0.1', () => process.stdout.write('ready\\n'))
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
