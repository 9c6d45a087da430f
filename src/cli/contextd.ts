/** `contextd`: the service. `ctxd` is the command-line tool that controls it. */

import { parseArgs } from 'node:util'

const serveOptions = { agent: { type: 'string' }, transparent: { type: 'boolean' } } as const

/** The arguments of a plain `contextd mcp serve`: a client waits for it, so it starts without the command parser. */
function plainMcpServe(argv: readonly string[]): { agent?: string; transparent?: boolean } | undefined {
  if (argv[0] !== 'mcp' || argv[1] !== 'serve') return undefined
  try {
    return parseArgs({ args: argv.slice(2), options: serveOptions }).values
  } catch {
    // Anything else gets the parser's help and suggestions.
    return undefined
  }
}

const plain = plainMcpServe(process.argv.slice(2))
if (plain !== undefined) {
  const { serveMcp } = await import('./commands/mcp-serve.ts')
  try {
    await serveMcp(plain)
  } catch (error) {
    const { fail } = await import('@contextd/shared/cli/output')
    fail(error, { json: false })
  }
} else {
  const { contextdProgram } = await import('./contextd-program.ts')
  const { runCli } = await import('@contextd/shared/cli/output')
  await runCli(contextdProgram())
}
