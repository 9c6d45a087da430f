/** Runs a command in the background and stays. Arguments: the project, and the command. */

import { composeRuntime } from '../../src/compose.ts'

const [project, command] = process.argv.slice(2) as [string, string]
const runtime = await composeRuntime({ env: process.env, cwd: project })
const client = { name: 'test', version: '1', door: 'cli' } as const
const result = await runtime.handle(
  runtime.newCall({
    method: 'tool',
    tool: 'safe_bash',
    session: runtime.sessions.begin(client),
    client,
    claims: {},
    arguments: { command, background: true },
    signal: new AbortController().signal,
  }),
)
process.stdout.write(`${result.kind}\n`)
setInterval(() => {}, 60_000)
