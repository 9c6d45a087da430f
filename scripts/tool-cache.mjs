// Third-party programs for tests are installed here by name, never into our own dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../node_modules/.cache/contextd', import.meta.url))

/** Installs `name@version` once, with install scripts off; returns the folder that contains its node_modules. */
export function installTool(name, version) {
  const folder = join(cache, `${name.replaceAll('/', '-')}-${version}`)
  if (existsSync(folder)) return folder
  // Renamed at the end, so that concurrent installs are atomic.
  const temporary = `${folder}-${process.pid}`
  mkdirSync(temporary, { recursive: true })
  // A separate package.json prevents npm from using ours.
  writeFileSync(join(temporary, 'package.json'), '{"private":true}\n')
  process.stderr.write(`Installing ${name}@${version} …\n`)
  const { status } = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      temporary,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${name}@${version}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  try {
    if (status !== 0) throw new Error(`${name}@${version} could not be installed`)
    renameSync(temporary, folder)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
  return folder
}
