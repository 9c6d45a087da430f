/** `.contextd/tools.lock.json`: the tools installed into a project, with their sources and hashes. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

import { fileProblem, invalidFile, placeProblem } from '../../platform/config/json-problem.ts'
import { parseJson } from '@contextd/shared/json/json-source'
import { schemaIssues } from '../../platform/config/schema-issues.ts'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import { toolNamePattern } from './manifest.ts'

export interface LockedTool {
  /** As given by the user. */
  readonly source: string
  /** The revision that was fetched. */
  readonly revision: string
  /** Over all files of the tool. */
  readonly sha256: string
  readonly installed_at: string
}

/** By name. */
export type Lock = ReadonlyMap<string, LockedTool>

const LOCK_FILE = '.contextd/tools.lock.json'

export function lockFileOf(project: string): string {
  return join(project, LOCK_FILE)
}

const schema = z.strictObject({
  version: z.literal(1),
  tools: z.record(
    z.string().regex(toolNamePattern, { error: 'this is not a valid tool name' }),
    z.strictObject({
      source: z.string().min(1).max(2000),
      revision: z.string().min(1).max(500),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'expected 64 hexadecimal digits' }),
      installed_at: z.iso.datetime(),
    }),
  ),
})

/** Empty if there is no file; `bytes` are its content. Throws TOOLS_LOCK_INVALID with the position. */
export function readLock(project: string): { readonly lock: Lock; readonly bytes?: Buffer } {
  const read = readSmallFile(lockFileOf(project))
  if (read.kind === 'missing') return { lock: new Map() }
  if (read.kind === 'unreadable')
    throw invalidFile('TOOLS_LOCK_INVALID', [fileProblem(LOCK_FILE, `the file ${read.why}`)])
  return { lock: parseLock(read.bytes), bytes: read.bytes }
}

export function parseLock(bytes: Uint8Array): Lock {
  const source = parseJson(new TextDecoder().decode(bytes))
  if (!source.ok) {
    const { line, column, message } = source
    throw invalidFile('TOOLS_LOCK_INVALID', [{ file: LOCK_FILE, line, column, path: '$', message }])
  }
  const issues = schemaIssues(schema, source.value)
  if (issues.length > 0)
    throw invalidFile(
      'TOOLS_LOCK_INVALID',
      issues.map((issue) => placeProblem(issue, source, LOCK_FILE)),
    )
  return new Map(Object.entries(schema.parse(source.value).tools))
}

/** The same tools always produce the same text, so that a commit shows only real changes. */
export function formatLock(lock: Lock): string {
  const names = [...lock.keys()].sort()
  const tools = names.map((name) => {
    const { source, revision, sha256, installed_at } = lock.get(name)!
    return [name, { source, revision, sha256, installed_at }] as const
  })
  return `${JSON.stringify({ version: 1, tools: Object.fromEntries(tools) }, null, 2)}\n`
}

/** Adds or removes one tool, and returns the new content. Without any tool the file is deleted. */
export function changeLock(project: string, name: string, tool: LockedTool | undefined): Buffer | undefined {
  const { lock, bytes } = readLock(project)
  const changed = new Map(lock)
  if (tool === undefined) changed.delete(name)
  else changed.set(name, tool)
  if (changed.size === 0) {
    rmSync(lockFileOf(project), { force: true })
    return undefined
  }
  const text = formatLock(changed)
  if (bytes?.toString() === text) return bytes
  replaceFile(lockFileOf(project), text, 'replaced')
  return Buffer.from(text)
}
