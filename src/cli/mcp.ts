/**
 * A plain `mcp serve`, which a client waits for: a separate bundle without the command parser. Anything else is left to
 * the full program, with its help and suggestions.
 */

import { parseArgs } from 'node:util'

const options = { agent: { type: 'string' }, transparent: { type: 'boolean' } } as const

function plainServe([, second, ...rest]: readonly string[]):
  | { agent?: string; transparent?: boolean }
  | undefined {
  if (second !== 'serve') return undefined
  try {
    return parseArgs({ args: rest, options }).values
  } catch {
    return undefined
  }
}

const plain = plainServe(process.argv.slice(2))
if (plain !== undefined) {
  const { serveMcp } = await import('./commands/mcp-serve.ts')
  try {
    await serveMcp(plain)
  } catch (error) {
    const { fail } = await import('@contextd/shared/cli/output')
    fail(error, { json: false })
  }
} else {
  const fullProgram = './ctxd.js'
  await import(fullProgram)
}
