import { resolve } from 'node:path'

import type { StdioTransport } from '../../../src/tools/upstream/server.ts'

/** A server of this folder, as configured in a file. */
export function fixtureTransport(
  name: 'well-behaved' | 'naughty',
  args: readonly string[] = [],
  rest: Partial<Omit<StdioTransport, 'kind'>> = {},
): StdioTransport {
  const file = resolve('test', 'support', 'upstream-fixtures', `${name}.mjs`)
  return { kind: 'stdio', command: process.execPath, args: [file, ...args], env: {}, ...rest }
}
