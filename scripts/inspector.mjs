// npm run inspector: the MCP Inspector lists and calls our tools over both transports, in both protocol eras.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { installTool } from './tool-cache.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const inspector = join(
  installTool('@modelcontextprotocol/inspector', '2.12.0'),
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)
const program = join(root, 'bin/contextd.js')
const home = mkdtempSync(join(tmpdir(), 'contextd-inspector-'))
const env = { PATH: process.env.PATH, HOME: home, CONTEXTD_HOME: home }
mkdirSync(join(home, 'config'))
writeFileSync(join(home, 'config/config.toml'), '[http]\nport = 0\n')

const daemon = spawn(process.execPath, [program, 'serve'], {
  env,
  cwd: home,
  stdio: ['ignore', 'pipe', 'inherit'],
})
daemon.once('exit', (code) => code === 0 || process.exit(1))
const url = await addressOf(daemon)
const token = readFileSync(join(home, 'state/keys/http-token'), 'utf8').trim()

const transports = {
  stdio: [process.execPath, program, 'mcp', 'serve', '-e', `CONTEXTD_HOME=${home}`],
  http: [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`],
}
let failed = 0
for (const [transport, target] of Object.entries(transports)) {
  for (const era of ['legacy', 'modern']) {
    const inspect = (...args) => runInspector([...target, '--protocol-era', era, ...args])
    const listed = inspect('--method', 'tools/list', '--strict')
    const names = listed.result?.tools?.map(({ name }) => name) ?? []
    check(
      `${transport} ${era}: lists ${names.length} tools with portable schemas`,
      listed.status === 0 && names.includes('read_more'),
      listed,
    )
    const call = inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'read_more',
      '--tool-args-json',
      '{"ref":"no such ref"}',
    )
    const { isError, _meta } = call.result ?? {}
    const code = _meta?.['dev.contextd/result']?.error?.code
    check(
      `${transport} ${era}: read_more answers ${code} for an unknown ref`,
      isError === true && code === 'REF_NOT_FOUND',
      call,
    )
  }
}

daemon.kill('SIGTERM')
await once(daemon, 'exit')
await waitUntilUnused(home)
rmSync(home, { recursive: true })
process.exit(failed === 0 ? 0 : 1)

function check(title, isOk, { stdout, stderr }) {
  process.stdout.write(`${isOk ? 'ok  ' : 'FAIL'} ${title}\n`)
  if (isOk) return
  failed += 1
  process.stdout.write(`${stdout}${stderr}\n`)
}

function runInspector(args) {
  const run = spawnSync(process.execPath, [inspector, '--cli', ...args, '--format', 'json'], {
    env,
    cwd: home,
    encoding: 'utf8',
  })
  const line = run.stdout.split('\n').find((text) => text.startsWith('{'))
  return { ...run, result: line === undefined ? undefined : JSON.parse(line).result }
}

/** The Inspector exits before the servers it started, which write to their home while they run. */
async function waitUntilUnused(folder) {
  for (let tries = 0; isUsed(folder); tries += 1) {
    if (tries === 600) throw new Error('a server that the Inspector started did not exit')
    await sleep(50)
  }
}

/** Whether a process uses the folder as its home; false if the system does not expose this. */
function isUsed(folder) {
  if (!existsSync('/proc')) return false
  return readdirSync('/proc').some((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(`CONTEXTD_HOME=${folder}`)
    } catch {
      // Not a process, one that has ended, or another user's.
      return false
    }
  })
}

/** Reads the address that the daemon prints. */
async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /http:\/\/\S+\/mcp/.exec(line)?.[0]
    if (found !== undefined) return found
  }
  throw new Error('the daemon did not print its address')
}
