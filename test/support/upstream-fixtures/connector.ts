// contextd's side of a connection as a separate process: prints what it started, then waits to be stopped.
import { connectStdio } from '../../../src/tools/upstream/stdio/connect.ts'

const [command = '', ...args] = process.argv.slice(2)
const connection = await connectStdio(
  { kind: 'stdio', command, args, env: {} },
  'auto',
  { project: '/', env: process.env },
  { onNotice: () => {}, signal: new AbortController().signal, maxMessageBytes: 1 << 20 },
)
const exchange = { signal: new AbortController().signal, asks: [] }
process.stdout.write(`${JSON.stringify(await connection.request('tools/call', { name: 'any' }, exchange))}\n`)
setInterval(() => {}, 1000)
