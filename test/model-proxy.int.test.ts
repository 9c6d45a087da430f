/** A daemon started by a client uses the client's proxy and certificates to reach the provider. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, onTestFinished, test } from 'vitest'

import type { DoorAddress } from '../src/cli/commands/door.ts'
import { makeAuthority } from './support/certificates.ts'
import { startConnectProxy } from './support/connect-proxy.ts'
import { askModel, type ModelReply } from './support/model-door.ts'
import { startModelProvider } from './support/model-provider.ts'
import { makeTempHome } from './support/temp-home.ts'

const host = 'models.provider.example'

/** Sends a request through a model door whose daemon was started by a program with this environment. */
async function askBehindProxy({ trusts }: { trusts: boolean }): Promise<{
  reply: ModelReply
  tunnels: readonly (string | undefined)[]
  arrived: number
  target: string
}> {
  const authority = makeAuthority()
  const proxy = await startConnectProxy()
  const provider = await startModelProvider(authority.issue(host))
  const target = `${host}:${new URL(provider.url).port}`
  const home = makeTempHome()
  const far = `[model.providers.far]\nurl = "https://${target}"\napi = "anthropic"\n`
  home.write('config/config.toml', `[http]\nport = 0\n[control]\nport = 0\n${far}`)
  const env = {
    ...home.env,
    PATH: process.env.PATH,
    HTTPS_PROXY: `http://${proxy.host}`,
    ...(trusts && { NODE_EXTRA_CA_CERTS: home.write('ca.pem', authority.ca) }),
  }
  const run = async (program: 'contextd' | 'ctxd', ...argv: string[]): Promise<string> => {
    const path = fileURLToPath(new URL(`../bin/${program}.js`, import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [path, ...argv], {
      cwd: home.project,
      env,
    })
    return stdout
  }
  onTestFinished(async () => {
    await run('ctxd', 'server', 'stop')
    home.remove()
  })
  const door = JSON.parse(await run('contextd', 'door', '--json')) as DoorAddress
  const base = new URL((await run('ctxd', 'model', 'url', 'other', '--provider', 'far')).trim())
  const reply = await askModel(`${door.url}${base.pathname}/v1/messages`, {
    body: { model: 'claude-test', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] },
  })
  return { reply, tunnels: proxy.seen.map((seen) => seen.target), arrived: provider.seen.length, target }
}

test('the tunnel leads to a provider with a certificate of an authority that the user added', async () => {
  const { reply, tunnels, arrived, target } = await askBehindProxy({ trusts: true })
  expect(reply).toMatchObject({ status: 200, isBroken: false })
  expect([tunnels, arrived]).toEqual([[target], 1])
})

test('the proxy cannot impersonate the provider: an unknown certificate ends the request', async () => {
  const { reply, tunnels, arrived, target } = await askBehindProxy({ trusts: false })
  expect(reply.status).toBe(502)
  expect(reply.text).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN/)
  expect([tunnels, arrived]).toEqual([[target], 0])
})
