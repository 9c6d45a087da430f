// Calls the API from another language: a Python client generated from the same proto files, over the Unix socket and
// mTLS. Needs python3 with venv, and the Python package index; skips with a message if they are missing.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const here = join(root, 'test/control/python')
const environment = join(root, 'node_modules/.cache/contextd/python-grpc-1.85.1')
const python = join(environment, 'bin/python')

function run(command, args, stdio = 'inherit') {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio })
  return error === undefined && status === 0
}

function skip(why) {
  process.stdout.write(`skipped: the Python client, because ${why}\n`)
  process.exit(0)
}

/** Installs the missing package as root on Debian; otherwise prints how. */
function ensureVenv() {
  const hasVenv = () => run('python3', ['-c', 'import venv, ensurepip'], 'ignore')
  if (hasVenv()) return
  const install = 'apt-get update && apt-get install -y --no-install-recommends python3 python3-venv'
  if (
    process.getuid?.() === 0 &&
    run('sh', ['-c', `command -v apt-get && ${install}`], 'ignore') &&
    hasVenv()
  )
    return
  skip(`python3 with venv is not installed (${install})`)
}

function ensurePackages() {
  const done = join(environment, '.installed')
  if (existsSync(done)) return
  process.stderr.write('Installing grpcio for Python …\n')
  rmSync(environment, { recursive: true, force: true })
  const requirements = join(here, 'requirements.txt')
  const isInstalled =
    run('python3', ['-m', 'venv', environment]) &&
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements])
  if (!isInstalled) skip('its packages could not be installed')
  writeFileSync(done, '')
}

function generate(folder) {
  const protos = readdirSync(join(root, 'proto'), { recursive: true }).filter((name) =>
    name.endsWith('.proto'),
  )
  const out = [`--proto_path=${join(root, 'proto')}`, `--python_out=${folder}`, `--grpc_python_out=${folder}`]
  if (!run(python, ['-m', 'grpc_tools.protoc', ...out, ...protos])) {
    throw new Error('generating Python code from the proto files failed')
  }
}

ensureVenv()
ensurePackages()
const generated = mkdtempSync(join(tmpdir(), 'contextd-python-'))
const server = spawn(process.execPath, ['scripts/run-ts.mjs', join(here, 'serve.ts')], {
  cwd: root,
  stdio: ['pipe', 'pipe', 'inherit'],
})
try {
  generate(generated)
  const [addresses] = await Promise.race([
    once(createInterface(server.stdout), 'line'),
    once(server, 'exit').then(() => {
      throw new Error('the server exited immediately')
    }),
  ])
  process.exitCode = run(python, [join(here, 'client.py'), addresses, generated]) ? 0 : 1
} finally {
  server.stdin.end()
  rmSync(generated, { recursive: true, force: true })
}
