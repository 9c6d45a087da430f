/**
 * The inner end of the way to granted hosts. A sandbox has no network but its own loopback; programs there find a proxy on
 * it, which is this script: it hands every connection to the Unix socket whose path is its argument, at whose other end
 * contextd decides. It decides nothing itself, so there is nothing to gain from tampering with it.
 */

const port = 3128

/**
 * As text: what is bundled has no files beside it. Put it into a file that ends in `.cjs`: Node reads modules with a pool of
 * threads, which all count against the limits of the sandbox. Says `ready` once connections are taken.
 */
export const bridgeScript = `const { connect, createServer } = process.getBuiltinModule('node:net')
const path = process.argv[2]
const pass = (from, to) => from.on('error', () => to.destroy()).pipe(to)
const take = (inner) => {
  const outer = connect({ path, allowHalfOpen: true })
  pass(inner, outer)
  pass(outer, inner)
}
createServer({ allowHalfOpen: true }, take).listen(${port}, '127.0.0.1', () => process.stdout.write('ready\\n'))
`

const proxy = `http://127.0.0.1:${port}`
/** What a program starts inside the sandbox it also reaches inside. */
const direct = 'localhost,127.0.0.1,::1'

/**
 * What makes programs use it: curl, git, npm, pip, cargo, go and wget read one or the other, Node from 22.21 when it is told
 * to. Not for the script itself. `toLoopback`: the machine's own loopback is granted, so that its names mean the machine.
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
