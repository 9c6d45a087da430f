// The cost of connect itself: the same message over the same kind of socket, answered immediately.
import { createServer } from 'node:http2'

import { connectNodeAdapter } from '@connectrpc/connect-node'

import { Tools } from '../../src/servers/control/gen/contextd/v1/tools_pb.ts'

const answer = {
  content: [{ type: 'text', text: 'hello' }],
  structured: { kind: { case: 'stringValue' as const, value: 'hello' } },
}
const handler = connectNodeAdapter({
  routes: (router) => router.service(Tools, { call: () => answer }),
})
const [path = ''] = process.argv.slice(2)
createServer(handler).listen(path, () => process.stdout.write('ready\n'))
