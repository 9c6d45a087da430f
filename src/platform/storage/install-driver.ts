/**
 * Brings the SQLite package to a contextd that was shipped without packages, for a Node that has no SQLite of its own.
 * Who is first installs, who comes meanwhile waits. What is there is current when its manifest is the shipped one, byte
 * for byte.
 */

import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ContextdError } from '../../core/errors/errors.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { isAlive, outputOf, ProgramError } from '@contextd/shared/process'
import { hasBuiltIn, hasOwnPackage, installedPackages, packageIn } from './sqlite.ts'

export interface DriverPlaces {
  /** The folder with the shipped manifest. */
  readonly shipped: string
  /** Where the package may be kept. */
  readonly data: string
  /** contextd's state, in which every program of ours looks for it. */
  readonly state: string
}

export type Install = (folder: string) => Promise<void>

const manifest = ['package.json', 'package-lock.json']
/** Longer than any installation takes: by then the number of its process may be another's. */
const lockAgeMs = 10 * 60_000
/** Writing a number into a file takes less. */
const emptyLockAgeMs = 5000
/** The client gives its servers less, and the hook at the start of a session more. */
const maxWaitMs = 2 * 60_000

/** Throws STORE_UNAVAILABLE where it cannot. */
export async function provideDriver(places: DriverPlaces, install: Install = installWithNpm): Promise<void> {
  if (hasBuiltIn() || hasOwnPackage()) return
  await provideInstalled(places, install)
}

export async function provideInstalled(
  { shipped, data, state }: DriverPlaces,
  install: Install,
): Promise<void> {
  const folder = installedPackages(data)
  // Packages can be lost without their manifest, to whoever cleans up.
  const isCurrent = (): boolean =>
    existsSync(packageIn(folder)) && manifest.every((name) => isSame(join(shipped, name), join(folder, name)))
  ensurePrivateFolder(state)
  mkdirSync(data, { recursive: true })
  const end = Date.now() + maxWaitMs
  while (!isCurrent()) {
    const lock = `${folder}.lock`
    const release = takeLock(lock)
    if (release === undefined) {
      if (Date.now() > end) throw cannot(`another program has held ${lock} for too long`)
      await sleep(100)
      continue
    }
    try {
      if (!isCurrent()) await renew(folder, shipped, install)
    } finally {
      release()
    }
  }
  linkTo(folder, installedPackages(state))
}

function isSame(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other))
}

/** The manifest comes with the packages, by one rename: whoever finds it finds all of them. */
async function renew(folder: string, shipped: string, install: Install): Promise<void> {
  const isLeftover = (name: string): boolean => name.startsWith(`${basename(folder)}-`)
  for (const name of readdirSync(dirname(folder)).filter(isLeftover)) {
    rmSync(join(dirname(folder), name), { recursive: true, force: true })
  }
  const fresh = `${folder}-${randomBytes(8).toString('hex')}`
  mkdirSync(fresh)
  try {
    for (const file of manifest) copyFileSync(join(shipped, file), join(fresh, file))
    await install(fresh)
    if (!existsSync(packageIn(fresh))) throw cannot('npm installed something else')
    if (existsSync(folder)) renameSync(folder, `${fresh}-old`)
    renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
    rmSync(`${fresh}-old`, { recursive: true, force: true })
  }
}

/**
 * Undefined while another has it. One whose process is gone is thrown away; two that do so at the same time may both go on,
 * which costs an installation and breaks nothing.
 */
function takeLock(lock: string): (() => void) | undefined {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
    return () => rmSync(lock, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (isLeftBehind(lock)) rmSync(lock, { recursive: true, force: true })
    return undefined
  }
}

function isLeftBehind(lock: string): boolean {
  try {
    const about = lstatSync(lock)
    const age = Date.now() - about.mtimeMs
    if (!about.isFile() || age > lockAgeMs) return true
    const pid = Number(readFileSync(lock, 'utf8'))
    // Between making the file and writing the number into it there is nothing to read.
    return pid > 0 ? !isAlive(pid) : age > emptyLockAgeMs
  } catch {
    // It was just given back.
    return false
  }
}

function linkTo(folder: string, link: string): void {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(link) === folder) return
  const fresh = `${link}-${randomBytes(8).toString('hex')}`
  symlinkSync(folder, fresh)
  try {
    renameSync(fresh, link)
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Nothing of the package runs here, and nothing of the folder that the client was started in counts. */
async function installWithNpm(folder: string): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  // The client waits half a minute for its servers.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000']
  try {
    for await (const _ of outputOf('npm', ['ci', ...quiet, ...patience], { cwd: folder, env: process.env }));
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    const code = /\bcode (E\w+)/.exec(error.complaint)?.[1]
    throw cannot(
      error.kind === 'missing' ? 'npm is not there' : `npm failed${code === undefined ? '' : ` (${code})`}`,
    )
  }
}

function cannot(why: string): ContextdError {
  return new ContextdError('STORE_UNAVAILABLE', {
    cause: `this Node (${process.versions.node}) has no SQLite of its own, and the package for it could not be installed: ${why}`,
    hint: 'Start the client again where `npm` runs and reaches its registry, or use Node 24.15 or newer.',
  })
}
