import { resolve } from 'node:path'

import type { StdioTransport } from '../../../src/tools/upstream/server.ts'

/** One of the servers of this folder, as a file declares it. */
export function fixtureTransport(
  name: 'well-behaved' | 'naughty',
  args: readonly string[] = [],
  rest: Partial<Omit<StdioTransport, 'kind'>> = {},
): StdioTransport {
  const file = resolve('test', 'support', 'upstream-fixtures', `${name}.mjs`)
  return { kind: 'stdio', command: process.execPath, args: [file, ...args], env: {}, ...rest }
}
