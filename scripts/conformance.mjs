// npm run conformance: the official suite of the Model Context Protocol against our HTTP server, for both revisions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { installTool } from './tool-cache.mjs'

const required = { '2025-11-25': 30, '2026-07-28': 37 }

const root = fileURLToPath(new URL('..', import.meta.url))
const suite = join(
  installTool('@modelcontextprotocol/conformance', '0.2.0-alpha.12'),
  'node_modules/@modelcontextprotocol/conformance',
)
const home = mkdtempSync(join(tmpdir(), 'contextd-conformance-'))

const server = spawn(process.execPath, ['scripts/run-ts.mjs', 'test/conformance/server.ts'], {
  cwd: root,
  env: { PATH: process.env.PATH, HOME: home, CONTEXTD_HOME: home },
  stdio: ['pipe', 'pipe', 'inherit'],
})
server.once('exit', (code) => code === 0 || process.exit(1))
const [line] = await once(createInterface({ input: server.stdout }), 'line')
const { url, token } = JSON.parse(line)

// Our server lets nobody in without a token and the suite cannot send one. This stands between and adds it; every other
// header, Host and Origin among them, arrives as the suite sent it.
const gate = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
  const forwarded = request(url, { method: incoming.method, headers }, (response) => {
    outgoing.writeHead(response.statusCode, response.headers)
    response.pipe(outgoing)
  })
  forwarded.on('error', () => outgoing.destroy())
  outgoing.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
})
gate.listen(0, '127.0.0.1')
await once(gate, 'listening')

let failed = false
for (const [revision, count] of Object.entries(required)) {
  const output = await runSuite(revision)
  const scenarios = scenariosOf(revision)
  const passed = scenarios.filter((name) => output.includes(`✓ ${name}:`))
  const complete = passed.length === count && scenarios.length === count
  process.stdout.write(`${revision}: ${passed.length}/${count} required scenarios passed\n`)
  if (complete) continue
  failed = true
  process.stdout.write(output)
}

gate.close()
gate.closeAllConnections()
server.stdin.end()
await once(server, 'exit')
rmSync(home, { recursive: true })
process.exit(failed ? 1 : 0)

/** The `server:` list of the suite's own requirements. */
function scenariosOf(revision) {
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8')
  const list = /^server:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? ''
  return [...list.matchAll(/^ {2}- (.+)$/gm)].map(([, name]) => name)
}

async function runSuite(revision) {
  const shim = join(root, 'scripts/glob-shim.mjs')
  const target = `http://127.0.0.1:${gate.address().port}/mcp`
  const args = [
    '--import',
    shim,
    join(suite, 'dist/index.js'),
    'server',
    '--url',
    target,
    '--requirements',
    revision,
  ]
  const run = spawn(process.execPath, [...args, '-o', join(home, 'results')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  run.stdout.on('data', (chunk) => (output += chunk))
  run.stderr.on('data', (chunk) => (output += chunk))
  await once(run, 'close')
  return output
}
