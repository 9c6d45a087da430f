/** The model door only answers programs on this machine, even if the daemon listens on other addresses. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'

import { expect, onTestFinished, test } from 'vitest'

import {
  askModel,
  startModelDoor,
  type DoorFixture,
  type ModelReply,
} from '../../../test/support/model-door.ts'
import { modelWires, type ModelWire } from '../../../test/support/model-wires.ts'
import { doorLimits } from '../limits/door-limits.ts'
import { allowedNames } from '../limits/http-guard.ts'
import { createModelDoor } from './model-door.ts'

/** With an allowed host name, so that nothing else is wrong with the request. */
function ask(wire: ModelWire, { base }: DoorFixture, origin = new URL(base()).origin): Promise<ModelReply> {
  const url = new URL(base(wire.api))
  return askModel(`${origin}${url.pathname}${wire.path(false)}`, {
    body: wire.request('Hi'),
    headers: { host: 'localhost' },
  })
}

/** Addresses by which other machines reach this one. */
const ownAddresses = Object.values(networkInterfaces())
  .flat()
  .filter((found) => found !== undefined && !found.internal && found.family === 'IPv4')
  .map((found) => found!.address)

/** A machine without a network has none; the next test needs none. */
test.skipIf(ownAddresses.length === 0).each(Object.entries(modelWires))(
  'refuses who comes by an address of this machine that others can reach: %s',
  async (_, wire) => {
    const door = await startModelDoor({ host: '0.0.0.0' })
    const { port } = new URL(door.base())
    for (const address of ownAddresses) {
      const refused = await ask(wire, door, `http://${address}:${port}`)
      expect(refused.status).toBe(403)
      expect(JSON.parse(refused.text)).toMatchObject(wire.error(403))
      expect(refused.text).toContain('only serves programs on this machine')
    }
    expect(door.provider.seen).toEqual([])
    expect((await ask(wire, door, `http://127.0.0.1:${port}`)).status).toBe(200)
    expect(door.provider.seen).toHaveLength(1)
  },
)

test.each([
  ['192.0.2.7', 403],
  ['::ffff:192.0.2.7', 403],
  ['2001:db8::7', 403],
  ['fe80::7', 403],
  [undefined, 403],
  ['127.0.0.1', 200],
  ['::ffff:127.0.0.1', 200],
  ['::1', 200],
])('a connection from %s gets %i', async (peer, status) => {
  const fixture = await startModelDoor()
  const door = createModelDoor(fixture.runtime, {
    limits: doorLimits,
    allowed: allowedNames('0.0.0.0', []),
    admit: () => {},
    metrics: { count: () => {} },
  })
  const server = createServer((request, response) => {
    Object.defineProperty(request.socket, 'remoteAddress', { value: peer })
    void door.handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    door.close()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const wire of Object.values(modelWires)) {
    const reply = await ask(wire, fixture, origin)
    expect(reply.status).toBe(status)
    if (status === 403) expect(JSON.parse(reply.text)).toMatchObject(wire.error(403))
  }
  expect(fixture.provider.seen).toHaveLength(status === 200 ? Object.keys(modelWires).length : 0)
})
