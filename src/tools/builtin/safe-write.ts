import { isUtf8 } from 'node:buffer'
import { closeSync, constants } from 'node:fs'
import { basename } from 'node:path'

import * as z from 'zod'

import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import { currentText } from '../files/current-text.ts'
import { find, openFound, descriptorPath, type OpenedPlace } from '../files/confined-file.ts'
import { appendToTarget, openForWrite, replaceTarget, type WriteTarget } from '../files/confined-write.ts'
import type { FileTools } from '../files/file-tools.ts'
import { hashOfBytes, readFileVersion, sha256Of, wholeBytes, type Version } from '../files/file-version.ts'
import { lineChanges } from '../files/line-changes.ts'
import { filePath, readerOf } from '../files/tool-arguments.ts'

/**
 * A version hash of contextd or the plain SHA-256. Explained in errors, not in the schema, which costs every model
 * tokens.
 */
const fileHash = z
  .string()
  .refine(
    (hash) => /^(?:[0-9a-f]{24}|[0-9a-f]{64})$/i.test(hash),
    'the hash from an earlier answer, or the hexadecimal SHA-256 of the file',
  )

export function safeWrite(files: FileTools): Tool {
  return defineTool({
    name: 'safe_write',
    description: 'Writes or appends to a file; refused if it changed since you read it.',
    input: z.object({
      path: filePath,
      content: z.string(),
      append: z.boolean().optional(),
      expected_hash: fileHash.optional(),
    }),
    needs: ['fs:write'],
    annotations: { destructiveHint: true, openWorldHint: false },
    _meta: alwaysLoad,
    async written(call) {
      const { path, append } = call.arguments
      const text = typeof path === 'string' ? await currentText(files, path, call) : undefined
      return text === undefined
        ? undefined
        : { text, arguments: ['content'], ...(append === true && { replaced: '' }) }
    },
    async run({ path, content, append = false, expected_hash }, host) {
      const access = await files.accessToWrite(path, host.call)
      const target = await openForWrite(files.pathOf(path, access), access)
      try {
        const reader = readerOf(host.call)
        const { existing } = target
        // A caller that may not read the file must learn nothing by writing it: neither a difference, nor whether a
        // guess was right.
        const mayRead = access.mayRead(target.path)
        const current = existing && (await versionOf(existing, files.hashKey))
        const expected = expected_hash?.toLowerCase() ?? (existing && files.seen.seen(reader, target.path))
        if (expected !== undefined && !(await isVersion(expected, existing, current, mayRead))) {
          throw new ContextdError('FILE_CHANGED')
        }
        const before = existing === undefined ? Buffer.alloc(0) : current?.bytes
        const added = Buffer.from(content)
        const after = append ? before && Buffer.concat([before, added]) : added
        if (append && existing !== undefined) await appendToTarget({ ...target, existing }, added)
        else await replaceTarget(target, added, files.notes)
        const hash = await hashAfter(target, after, files.hashKey)
        if (hash !== undefined) files.seen.note(reader, target.path, hash)
        return answer({
          done: existing === undefined ? 'created' : append ? 'appended' : 'replaced',
          ...((mayRead || existing === undefined) && summary(before, after)),
          bytes: append && existing !== undefined ? existing.stat.size + added.length : added.length,
          ...(hash !== undefined && { hash }),
        })
      } finally {
        target.close()
      }
    },
  })
}

/** Undefined for a file that we may write but not read. */
async function versionOf(found: OpenedPlace, key: Uint8Array): Promise<Version | undefined> {
  let file
  try {
    file = openFound(found)
    return await readFileVersion(file, key)
  } catch {
    return undefined
  } finally {
    file?.close()
  }
}

async function isVersion(
  expected: string,
  existing: OpenedPlace | undefined,
  current: Version | undefined,
  mayRead: boolean,
): Promise<boolean> {
  if (existing === undefined || current === undefined) return false
  if (expected === current.hash) return true
  if (!mayRead || expected.length !== 64) return false
  const file = openFound(existing)
  try {
    return (await sha256Of(file)) === expected
  } finally {
    file.close()
  }
}

/** Of our bytes, not of what others may have written since. */
async function hashAfter(
  { folder, path }: WriteTarget,
  after: Buffer | undefined,
  key: Uint8Array,
): Promise<string | undefined> {
  if (after !== undefined && after.length <= wholeBytes) return hashOfBytes(after, key)
  const written = await find(descriptorPath(folder.descriptor, basename(path)), constants.O_NOFOLLOW)
  if (written === undefined) return undefined
  try {
    return (await versionOf(written, key))?.hash
  } finally {
    closeSync(written.descriptor)
  }
}

/** `lines: +12 -3`, and their position. */
function summary(before: Buffer | undefined, after: Buffer | undefined): JsonObject {
  if (before === undefined || after === undefined || !isUtf8(before)) return {}
  const { added, removed, changed } = lineChanges(before.toString(), after.toString())
  if (before.length === 0) return { lines: `+${added}` }
  if (added === 0 && removed === 0) return { lines: 'no change' }
  return {
    lines: `+${added} -${removed}`,
    ...(changed !== undefined && { changed: `${changed.first}-${changed.last}` }),
  }
}
