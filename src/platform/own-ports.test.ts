import { createServer, type AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { createOwnPorts, markOwnPort } from './own-ports.ts'

test.runIf(process.platform === 'linux')('a port is marked while its server listens', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const isOwn = createOwnPorts([7391])
  expect([isOwn(7391), isOwn(port)]).toEqual([true, false])
  await markOwnPort(server, port)
  expect([isOwn(port), isOwn(Number(String(port).slice(0, -1)))]).toEqual([true, false])
  await new Promise((resolve) => server.close(resolve))
  // The mark closes after its server.
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOwn(port)).toBe(false)
})
