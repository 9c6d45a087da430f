import { isUtf8 } from 'node:buffer'

import * as z from 'zod'

import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import { currentText } from '../files/current-text.ts'
import { appendToTarget, openForWrite, replaceTarget } from '../files/confined-write.ts'
import type { FileTools } from '../files/file-tools.ts'
import { fileHash, hashAfter, requireExpected, versionOf } from '../files/expected-version.ts'
import { lineChanges } from '../files/line-changes.ts'
import { filePath, readerOf } from '../files/tool-arguments.ts'
import { writeText } from './answer-texts.ts'

export function safeWrite(files: FileTools): Tool {
  return defineTool({
    name: 'safe_write',
    description: 'Writes a new file, replaces one you have read, or appends.',
    input: z.object({
      path: filePath,
      content: z.string(),
      append: z.boolean().optional(),
      expected_hash: fileHash.optional(),
    }),
    needs: ['fs:write'],
    renderText: writeText,
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
        const seen = files.seen.seen(reader, target.path)
        const hasUnseenText =
          existing !== undefined &&
          existing.stat.size > 0 &&
          seen === undefined &&
          expected_hash === undefined
        // Appending loses nothing, and who may not read the file could never write it.
        if (hasUnseenText && !append && mayRead) throw new ContextdError('FILE_NOT_READ')
        await requireExpected({ given: expected_hash, seen, existing, current, mayRead })
        const before = existing === undefined ? Buffer.alloc(0) : current?.bytes
        const added = Buffer.from(content)
        const after = append ? before && Buffer.concat([before, added]) : added
        if (append && existing !== undefined) await appendToTarget({ ...target, existing }, added)
        else await replaceTarget(target, added, files.notes)
        const hash = await hashAfter(target, after, files.hashKey)
        // Who appends to a text knows the end of it only.
        if (hash !== undefined && !(append && hasUnseenText)) files.seen.note(reader, target.path, hash)
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
