// Installs what npm cannot install. Sandboxed tools need bubblewrap; everything else works without it.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const command = 'apt-get update && apt-get install -y --no-install-recommends bubblewrap'

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export function ensureBubblewrap() {
  if (process.platform !== 'linux' || onPath('bwrap')) return
  const root = process.getuid?.() === 0
  const hasApt = onPath('apt-get')
  if (!root || !hasApt) {
    const instructions = hasApt ? `sudo sh -c '${command}'` : 'your system’s package `bubblewrap`'
    process.stderr.write(
      `bubblewrap is not installed: tools that run code are disabled. To install it: ${instructions}\n`,
    )
    return
  }
  process.stderr.write('Installing bubblewrap (sandbox for tools that run code) with apt-get …\n')
  const result = spawnSync('sh', ['-c', command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (result.status !== 0) {
    process.stderr.write(
      `Installation failed; everything except running code works. To try again: ${command}\n${result.stderr}`,
    )
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBubblewrap()
