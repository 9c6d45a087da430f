/**
 * The SQLite driver, the only place that knows which one it is: Node's own from 24.15 on, before that a
 * package with the same interface and prebuilt binaries.
 */

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { resolvePaths } from '../files/paths.ts'

export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlRow = Record<string, SqlValue>

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint }
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
  iterate(...values: SqlValue[]): IterableIterator<SqlRow>
}

export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

interface Driver {
  readonly DatabaseSync: new (path: string, options?: { timeout?: number; readOnly?: boolean }) => Database
}

const require = createRequire(import.meta.url)

export function hasBuiltIn(version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 15)
}

const packageName = '@photostructure/sqlite'

/** Where a contextd that was shipped without packages keeps those it installed: a folder of the state, or a link in it. */
export function installedPackages(state: string): string {
  return join(state, 'packages')
}

/** The package among our own, as npm installs it with us. */
export function hasOwnPackage(): boolean {
  try {
    require.resolve(packageName)
    return true
  } catch {
    return false
  }
}

/** The package by its folder: asked for by name, Node would also look in every folder above. */
export function packageIn(packages: string): string {
  return join(packages, 'node_modules', ...packageName.split('/'))
}

export function loadDriver(state: string = resolvePaths().state): Driver {
  if (hasBuiltIn()) return process.getBuiltinModule('node:sqlite') as unknown as Driver
  const installed = packageIn(installedPackages(state))
  const found = hasOwnPackage() ? packageName : existsSync(installed) ? installed : undefined
  const here = `this Node (${process.versions.node}) has no SQLite of its own`
  if (found === undefined) {
    throw new ContextdError('STORE_UNAVAILABLE', {
      cause: `${here} and the package ${packageName} is missing`,
      hint: 'Run `npm install @photostructure/sqlite@1.2.1` in the folder of contextd, or use Node 24.15 or newer. Where contextd is a plugin of Claude Code, start that once: it installs the package.',
    })
  }
  try {
    return require(found) as Driver
  } catch (cause) {
    throw new ContextdError(
      'STORE_UNAVAILABLE',
      {
        cause: `${here} and the package ${packageName} does not run on this machine`,
        hint: 'Use Node 24.15 or newer.',
      },
      { cause },
    )
  }
}
