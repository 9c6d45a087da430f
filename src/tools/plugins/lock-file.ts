/** `.contextd/tools.lock.json`: what was installed into a project, from where, and what came from there. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

import { fileProblem, invalidFile, placeProblem } from '../../platform/config/json-problem.ts'
import { parseJson } from '@contextd/shared/json/json-source'
import { schemaIssues } from '../../platform/config/schema-issues.ts'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import { toolNamePattern } from './manifest.ts'

export interface LockedTool {
  /** As the person gave it. */
  readonly source: string
  /** What that was when it was fetched. */
  readonly revision: string
  /** Of all files of the tool. */
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
    z.string().regex(toolNamePattern, { error: 'this is no name of a tool' }),
    z.strictObject({
      source: z.string().min(1).max(2000),
      revision: z.string().min(1).max(500),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'expected 64 hexadecimal digits' }),
      installed_at: z.iso.datetime(),
    }),
  ),
})

/** Empty where there is no file; `bytes` are those it was read from. Throws TOOLS_LOCK_INVALID with the place. */
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

/** The same tools always make the same text, so that only what changed shows in a commit. */
export function formatLock(lock: Lock): string {
  const names = [...lock.keys()].sort()
  const tools = names.map((name) => {
    const { source, revision, sha256, installed_at } = lock.get(name)!
    return [name, { source, revision, sha256, installed_at }] as const
  })
  return `${JSON.stringify({ version: 1, tools: Object.fromEntries(tools) }, null, 2)}\n`
}

/** Sets or takes out one tool, and answers what stands in the file now. Without any tool there is no file. */
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
