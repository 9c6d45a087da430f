/** `contextd-proxy` with contextd on another machine, authenticated by certificate. */

import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { grpcDoor, type GrpcDoor, type Shown } from '../../../test/control/grpc-door.ts'
import { makeProxyHome, type ProxyHome } from '../../../test/support/proxy-home.ts'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'

const hello: Tool = {
  definition: {
    name: 'hello',
    description: 'Says hello',
    inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
  },
  server: 'contextd',
  needs: [],
  run: async ({ to = 'you' }) => answer({ said: `hello ${to as string}` }),
}

let home: ProxyHome
let door: GrpcDoor
beforeEach(async () => {
  home = makeProxyHome()
  door = await grpcDoor({ tls: true, tools: [hello] })
})
afterEach(async () => {
  await door.close()
  home.remove()
})

function hold(name: string, { ca, cert, key }: Pick<Shown, 'ca' | 'cert' | 'key'>): NodeJS.ProcessEnv {
  const files = { ca, cert, key }
  for (const [file, content] of Object.entries(files)) {
    chmodSync(home.write(`${name}/${file}.pem`, content), 0o600)
  }
  const port = (door.tcp ?? '').split(':').at(-1)
  return { CONTEXTD_ADDR: `localhost:${port}`, CONTEXTD_TLS: `${home.path}/${name}` }
}

it('calls as the agent of its certificate, with flags known to the other machine', async () => {
  const env = hold('agent', door.issue({ kind: 'agent', id: 'main' }))
  expect(await home.proxy(['hello', '--to', 'all', '--json'], { env })).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('"said":"hello all"') as string,
  })
  const { code, err } = await home.proxy(['hello', '--too', 'x'], { env })
  expect([code, err]).toEqual([2, expect.stringContaining('did you mean --to?')])
})

it('is refused once the certificate is revoked, and starts no local daemon', async () => {
  const shown = door.issue({ kind: 'agent', id: 'main' })
  const env = hold('agent', shown)
  expect((await home.proxy(['hello'], { env })).code).toBe(0)
  door.revoke(shown.serial)
  const { code, out, err } = await home.proxy(['hello'], { env })
  expect(out).toBe('')
  expect(code).not.toBe(0)
  expect(JSON.parse(err)).toMatchObject({ error: { code: expect.any(String) as string } })
  expect(existsSync(join(home.path, 'run'))).toBe(false)
})

it('reports what is missing', async () => {
  const { CONTEXTD_ADDR } = hold('agent', door.issue({ kind: 'agent', id: 'main' }))
  expect((await home.proxy(['hello'], { env: { CONTEXTD_ADDR } })).err).toContain('CONTEXTD_TLS')
  const env = { ...hold('agent', door.issue({ kind: 'agent', id: 'main' })), CONTEXTD_ADDR: 'localhost:1' }
  const { code, err } = await home.proxy(['hello'], { env })
  expect([code, err]).toEqual([11, expect.stringContaining('DAEMON_UNREACHABLE')])
})
