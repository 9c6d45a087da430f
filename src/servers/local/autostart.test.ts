import { expect, onTestFinished, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { daemonEnvironment } from './autostart.ts'

function makeHome(): TempHome {
  const home = makeTempHome()
  onTestFinished(home.remove)
  return home
}

const proxies = {
  HTTPS_PROXY: 'http://proxy.example:3128',
  all_proxy: 'http://proxy.example:3128',
  NODE_EXTRA_CA_CERTS: '/tmp/ca.pem',
  NO_PROXY: '127.0.0.1',
}

test('does not pass variables about its first caller to the daemon', () => {
  const home = makeHome()
  const kept = { HOME: '/home/ada', PATH: '/usr/bin', CLAUDE_CONFIG_DIR: '/home/ada/.claude' }
  const ports = { CONTEXTD_PORT: '1', CONTEXTD_GRPC_PORT: '2' }
  const client = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', CLAUDE_CODE_SESSION_ID: 's', CLAUDECODE: '1' }
  const callers = { ...client, ...ports }
  expect(daemonEnvironment({ ...kept, ...callers }, home.project)).toEqual(kept)
})

test.each(['settings.json', 'settings.local.json'])(
  'a project does not choose the proxy and the certificates of the daemon in %s',
  (file) => {
    const home = makeHome()
    const env = { ...proxies, EDITOR: 'vi' }
    expect(daemonEnvironment(env, home.project)).toEqual(env)
    home.write(`project/.claude/${file}`, JSON.stringify({ env }))
    // `ctxd init` itself sets NO_PROXY there.
    expect(daemonEnvironment(env, home.project)).toEqual({ EDITOR: 'vi', NO_PROXY: '127.0.0.1' })
  },
)
