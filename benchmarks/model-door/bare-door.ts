// The baseline: a minimal model proxy on node:http, which only forwards. Argument: the address of the provider.
import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

const [provider = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { host: _, ...headers } = request.headers
  const { method = 'GET', url = '/' } = request
  const forwarded = send(`${provider}${url}`, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  forwarded.on('error', () => response.destroy())
  request.pipe(forwarded)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
