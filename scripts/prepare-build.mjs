// Makes a clone of the repository runnable: installs its packages and builds it, unless that was already done for the
// checked out commit. The Claude Code plugin and the GitHub Action run from unbuilt clones.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { isBuilt } from './built-commit.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const lockFile = join(root, '.cache', 'prepare-build.lock')
const maxPrepareMs = 10 * 60_000
/** A process killed between creating the lock and writing its id leaves an empty file. */
const maxEmptyLockMs = 5000

/**
 * Several clients may start at the same time: one prepares, the others wait. Returns a message for the user if it
 * failed.
 */
export async function prepareBuild() {
  const end = Date.now() + maxPrepareMs
  try {
    while (!isBuilt()) {
      if (!takeLock()) {
        if (Date.now() > end) throw new Error(`another process still holds ${lockFile}`)
        await sleep(100)
        continue
      }
      try {
        if (!isBuilt()) await prepare()
      } finally {
        rmSync(lockFile, { force: true })
      }
    }
    return undefined
  } catch (error) {
    return `contextd could not be built: ${error.message}. Run \`npm ci && npm run build\` in ${root}, then restart the client.`
  }
}

async function prepare() {
  if (!hasPackages()) await run('npm', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'])
  await run(process.execPath, [join(root, 'scripts', 'build.mjs')])
}

/** Whether node_modules has exactly the versions of the lock file, except for packages of other platforms. */
function hasPackages() {
  const installed = lockedPackages('node_modules/.package-lock.json')
  const wanted = lockedPackages('package-lock.json')
  return (
    installed !== undefined &&
    wanted !== undefined &&
    Object.entries(wanted).every(
      ([path, { version, optional, devOptional }]) =>
        !path.startsWith('node_modules/') ||
        installed[path]?.version === version ||
        (installed[path] === undefined && (optional || devOptional)),
    )
  )
}

function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Output is discarded, because stdout of a client's server is the protocol. The end of stderr explains a failure. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' }
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr = `${stderr}${text}`.slice(-2000)))
    child.on('error', ({ code }) =>
      reject(new Error(code === 'ENOENT' ? `${command} is not installed` : `${command}: ${code}`)),
    )
    child.on('close', (status) => {
      const [reason = `exit status ${status}`] = /^.*(?:error|ERR!).*$/im.exec(stderr) ?? []
      if (status === 0) resolve()
      else reject(new Error(`\`${[command, ...args.slice(0, 1)].join(' ')}\` failed (${reason.trim()})`))
    })
  })
}

function takeLock() {
  mkdirSync(join(root, '.cache'), { recursive: true })
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned()) rmSync(lockFile, { force: true })
    return false
  }
}

function isAbandoned() {
  try {
    const age = Date.now() - statSync(lockFile).mtimeMs
    const pid = Number(readFileSync(lockFile, 'utf8'))
    return age > maxPrepareMs || (pid > 0 ? !isAlive(pid) : age > maxEmptyLockMs)
  } catch {
    return false // released meanwhile
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
