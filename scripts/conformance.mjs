// npm run conformance [-- --all]: the official suite of the Model Context Protocol against contextd over HTTP, in front
// of a server with the suite's fixtures. Runs both revisions; --all runs every kind of server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { bundle } from './bundle.mjs'
import { installTool } from './tool-cache.mjs'

const required = { '2025-11-25': 30, '2026-07-28': 37 }

/**
 * Required in 2026-07-28, but impossible for a server up to 2025-11-25: its questions have no names, and if a client
 * cannot be asked, its tool result says so instead of the error that was added later.
 */
const impossibleForLegacy = ['input-required-result-basic-elicitation', 'server-stateless']

const upstreams = [
  ['stdio', 'legacy'],
  ['http', 'modern'],
  ...(process.argv.includes('--all')
    ? [
        ['stdio', 'modern'],
        ['http', 'legacy'],
      ]
    : []),
]

const root = fileURLToPath(new URL('..', import.meta.url))
const suite = join(
  installTool('@modelcontextprotocol/conformance', '0.2.0-alpha.12'),
  'node_modules/@modelcontextprotocol/conformance',
)
const programs = join(root, 'node_modules/.cache/contextd/conformance')
await bundle(['test/conformance/upstream-server.ts', 'test/conformance/server.ts'], programs)

let failed = false
for (const [transport, era] of upstreams) {
  const home = mkdtempSync(join(tmpdir(), 'contextd-conformance-'))
  const fixtures = [join(programs, 'upstream-server.js'), transport, era]
  const upstream = transport === 'http' ? await start(fixtures, home) : undefined
  const definition = upstream ? { url: upstream.line } : { command: process.execPath, args: fixtures }
  const contextd = await start([join(programs, 'server.js'), JSON.stringify(definition)], home)
  const proxy = await openProxy(JSON.parse(contextd.line))
  for (const [revision, count] of Object.entries(required)) {
    const results = join(home, revision)
    const output = await runSuite(revision, `http://127.0.0.1:${proxy.address().port}/mcp`, results)
    const scenarios = scenariosOf(revision)
    const missed = scenarios.filter((name) => !output.includes(`✓ ${name}:`))
    const excused = era === 'legacy' && revision === '2026-07-28' ? impossibleForLegacy : []
    const failures = missed.filter((name) => !excused.includes(name))
    const passed = scenarios.length - missed.length
    process.stdout.write(
      `${revision} in front of ${transport} ${era}: ${passed}/${count} required scenarios passed` +
        `${excused.length > 0 ? `, ${excused.length} are not for this kind of server` : ''}\n`,
    )
    if (failures.length === 0 && scenarios.length === count) continue
    failed = true
    for (const name of failures) process.stdout.write(`- ${name}\n${failuresIn(results, name)}`)
    if (failures.length === 0) process.stdout.write(output)
  }
  proxy.close()
  proxy.closeAllConnections()
  await contextd.stop()
  await upstream?.stop()
  rmSync(home, { recursive: true })
}
process.exit(failed ? 1 : 0)

/** Starts a program that prints one line when it is ready and exits when its stdin closes. */
async function start(args, home) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, CONTEXTD_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  void exited.then(([code]) => code === 0 || process.exit(1))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    line,
    stop() {
      child.stdin.end()
      return exited
    },
  }
}

/**
 * contextd requires a token, and the suite cannot send one. This proxy adds it; every other header, including Host and
 * Origin, is forwarded unchanged.
 */
async function openProxy({ url, token }) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const forwarded = request(url, { method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

/** The `server:` list of the suite's own requirements. */
function scenariosOf(revision) {
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8')
  const list = /^server:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? ''
  return [...list.matchAll(/^ {2}- (.+)$/gm)].map(([, name]) => name)
}

/** The failures that the suite reports for a scenario. */
function failuresIn(results, scenario) {
  const folders = readdirSync(results).filter((name) => name.startsWith(`server-${scenario}-2`))
  return folders
    .flatMap((folder) => JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')))
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `    ${id}: ${errorMessage}\n`)
    .join('')
}

async function runSuite(revision, url, results) {
  const args = ['--import', join(root, 'scripts/glob-shim.mjs'), join(suite, 'dist/index.js'), 'server']
  args.push('--url', url, '--requirements', revision, '-o', results)
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  run.stdout.on('data', (chunk) => (output += chunk))
  run.stderr.on('data', (chunk) => (output += chunk))
  await once(run, 'close')
  return output
}
