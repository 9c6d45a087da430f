// npm run conformance:client: the official suite of the Model Context Protocol against our HTTP connections to other
// servers, for both revisions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { bundleSources } from './bundle-sources.mjs'
import { installTool } from './tool-cache.mjs'

const required = { '2025-11-25': 18, '2026-07-28': 32 }
/** Each scenario is a program that starts contextd's client. */
const maxParallel = 2

const root = fileURLToPath(new URL('..', import.meta.url))
const suite = join(
  installTool('@modelcontextprotocol/conformance', '0.2.0-alpha.12'),
  'node_modules/@modelcontextprotocol/conformance',
)
const home = mkdtempSync(join(tmpdir(), 'contextd-client-conformance-'))
// Below node_modules, packages resolve as usual; built once for all scenarios.
const client = join(root, `node_modules/.cache/contextd/conformance-client-${process.pid}.mjs`)
mkdirSync(join(client, '..'), { recursive: true })
await bundleSources(join(root, 'test/conformance/client.ts'), client)

const onlyScenario = process.argv[2]
let failed = false
for (const [revision, count] of Object.entries(required)) {
  const scenarios = scenariosOf(revision)
  const queue = scenarios.filter((name) => onlyScenario === undefined || name === onlyScenario)
  const passed = []
  await Promise.all(
    Array.from({ length: maxParallel }, async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        const { code, output } = await runScenario(name, revision)
        if (code === 0 && !output.includes('SKIPPED: scenario')) passed.push(name)
        else process.stdout.write(`${name}:\n${output}\n`)
      }
    }),
  )
  process.stdout.write(`client ${revision}: ${passed.length}/${count}\n`)
  if (passed.length !== count || scenarios.length !== count) failed = true
}

rmSync(client, { force: true })
rmSync(home, { recursive: true })
process.exit(failed ? 1 : 0)

/** The `client:` list of the suite's own requirements. */
function scenariosOf(revision) {
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8')
  const list = /^client:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? ''
  return [...list.matchAll(/^ {2}- (.+)$/gm)].map(([, name]) => name)
}

async function runScenario(name, revision) {
  const args = ['--import', join(root, 'scripts/glob-shim.mjs'), join(suite, 'dist/index.js'), 'client']
  const command = `${process.execPath} ${client}`
  const choice = ['--command', command, '--scenario', name, '--spec-version', revision]
  const run = spawn(process.execPath, [...args, ...choice, '-o', join(home, 'results')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home },
  })
  let output = ''
  run.stdout.on('data', (chunk) => (output += chunk))
  run.stderr.on('data', (chunk) => (output += chunk))
  const [code] = await once(run, 'close')
  return { code, output }
}
