/**
 * The SQLite driver; no other module knows which one is used: Node's own from 24.15 on, otherwise a package with the
 * same API and prebuilt binaries.
 */

import { createRequire } from 'node:module'

import { ContextdError } from '../../core/errors/errors.ts'

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

export function loadDriver(): Driver {
  if (hasBuiltIn()) return process.getBuiltinModule('node:sqlite') as unknown as Driver
  const here = `this Node (${process.versions.node}) has no built-in SQLite`
  if (!isInstalled()) {
    throw new ContextdError('STORE_UNAVAILABLE', {
      cause: `${here} and the package ${packageName} is missing`,
      hint: 'Run `npm install @photostructure/sqlite@1.2.1` in the folder of contextd, or use Node 24.15 or newer.',
    })
  }
  try {
    return require(packageName) as Driver
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

function isInstalled(): boolean {
  try {
    require.resolve(packageName)
    return true
  } catch {
    return false
  }
}
