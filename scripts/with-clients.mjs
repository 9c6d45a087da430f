// node scripts/with-clients.mjs PROGRAM [args]: runs a Node program with the built product and the real clients, which
// are installed from npm into a separate cache. CONTEXTD_CLAUDE_VERSION selects another version of Claude Code, or the
// path of one; likewise CONTEXTD_OPENCODE_VERSION.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildProduct } from './build.mjs'
import { ensureBubblewrap } from './system-packages.mjs'
import { installTool } from './tool-cache.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { CONTEXTD_CLAUDE_VERSION: claude, CONTEXTD_OPENCODE_VERSION: opencode } = process.env
const clients = {
  claude: clientAt(claude || '2.1.325', '@anthropic-ai/claude-code', '@anthropic-ai/claude-code', 'claude'),
  opencode: clientAt(opencode || '1.18.33', 'opencode-ai', 'opencode', 'bin/opencode'),
}
ensureBubblewrap()
await buildProduct()
const { status } = spawnSync(process.execPath, process.argv.slice(2), {
  stdio: 'inherit',
  cwd: root,
  env: { ...process.env, CONTEXTD_TEST_CLIENTS: JSON.stringify(clients) },
})
process.exit(status ?? 1)

function clientAt(version, name, prefix, program) {
  return version.includes('/') ? resolve(version) : installClient(name, version, prefix, program)
}

/** The program is in a package for this platform, `<prefix>-linux-x64`, and needs no install script. */
function installClient(name, version, prefix, program) {
  const folder = join(installed(name, version), 'node_modules', dirname(prefix))
  const wanted = `${basename(prefix)}-${process.platform}-${process.arch}`
  const candidates = readdirSync(folder).filter((entry) => entry.startsWith(wanted))
  // The longest name is the build for older processors, which runs on new ones too.
  const path = join(folder, candidates.sort().at(-1) ?? wanted, program)
  if (!existsSync(path)) giveUp(`${name}@${version} has no program for ${process.platform} ${process.arch}.`)
  return path
}

function installed(name, version) {
  try {
    return installTool(name, version)
  } catch (error) {
    return giveUp(`${error.message}: this needs it from the npm registry.`)
  }
}

function giveUp(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
