import * as z from 'zod'

import { ContextdError } from '../../core/errors/errors.ts'
import type { ToolHost } from '../../core/ports.ts'
import { answer } from '../../core/result.ts'
import { maxSearchedBytes } from '../../core/tokens/secret-forms.ts'
import type { Tool } from '../../core/tool.ts'
import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { decodeText, encodeText, fileKind, type TextEncoding } from '../../platform/files/file-kind.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import { openForRead, openFound, unsuitable, type OpenedPlace } from '../files/confined-file.ts'
import { openForWrite, replaceTarget } from '../files/confined-write.ts'
import { currentText } from '../files/current-text.ts'
import { fileHash, hashAfter, requireExpected } from '../files/expected-version.ts'
import type { FileTools } from '../files/file-tools.ts'
import { readFileVersion, type Version } from '../files/file-version.ts'
import { keepsSecretsWhole, withoutSecretParts } from '../files/secret-parts.ts'
import {
  applyEdits,
  lineRange,
  linesOf,
  locateEdits,
  problemWith,
  type EditedText,
  type Replacement,
  type TextEdit,
} from '../files/text-edits.ts'
import { filePath, readerOf } from '../files/tool-arguments.ts'
import { editText } from './answer-texts.ts'

const maxEdits = 100

const edit = z
  .object({
    old: z.string().optional(),
    lines: z.string().optional(),
    new: z.string(),
    all: z.boolean().optional(),
  })
  .refine(({ old, lines }) => (old === undefined) !== (lines === undefined), 'either `old` or `lines`')
  .refine(({ old }) => old !== '', 'a text in `old`; to write a new file use safe_write')
  .refine(({ lines = '1' }) => lineRange.test(lines), 'line numbers in `lines`, such as 12-15 or 12')

export function safeEdit(files: FileTools): Tool {
  return defineTool({
    name: 'safe_edit',
    description: 'Replaces exact texts, or lines such as 3-5, in a file you have read: all edits or none.',
    input: z.object({
      path: filePath,
      edits: z.array(edit).refine(({ length }) => length > 0 && length <= maxEdits, `1 to ${maxEdits} edits`),
      expected_hash: fileHash.optional(),
    }),
    // Whether a text is found tells what is in the file.
    needs: ['fs:read', 'fs:write'],
    renderText: editText,
    annotations: { destructiveHint: true, openWorldHint: false },
    _meta: alwaysLoad,
    async written({ arguments: { path, edits }, ...call }) {
      const text = typeof path === 'string' ? await currentText(files, path, call) : undefined
      if (text === undefined || !Array.isArray(edits)) return undefined
      return { text, arguments: ['edits'], replaced: edits.map((one) => replacedBy(one, text)) }
    },
    async run({ path, edits, expected_hash: given }, host) {
      const access = await files.accessToWrite(path, host.call)
      // A missing file is refused before folders for it are created.
      const place = files.pathOf(path, access)
      const { close } = await openForRead(place, access)
      close()
      const target = await openForWrite(place, access)
      try {
        const { existing } = target
        if (existing === undefined || !access.mayRead(target.path)) throw new ContextdError('FILE_CHANGED')
        const reader = readerOf(host.call)
        const seen = files.seen.seen(reader, target.path)
        if (given === undefined && seen === undefined) throw new ContextdError('FILE_NOT_READ')
        const { bytes, ...current } = await readWhole(existing, files.hashKey)
        await requireExpected({ given, seen, existing, current, mayRead: true })
        const { text, encoding } = editableText(bytes)
        const located = await locateWhole(text, edits, host)
        const edited = applyEdits(text, located)
        const after = encoded(edited.text, encoding, bytes)
        await replaceTarget(target, after, files.notes)
        const hash = await hashAfter(target, after, files.hashKey)
        if (hash !== undefined) files.seen.note(reader, target.path, hash)
        return answer({
          done: `${located.flat().length} replaced`,
          text: await shownLines(edited, host),
          bytes: after.length,
          ...(hash !== undefined && { hash }),
        })
      } finally {
        target.close()
      }
    },
  })
}

/** As far as it can be said of arguments that are not yet validated. */
function replacedBy(one: Json, text: string): string {
  if (!isJsonObject(one)) return ''
  const { old, lines } = one
  return typeof old === 'string' ? old : (typeof lines === 'string' && linesOf(text, lines)) || ''
}

async function readWhole(existing: OpenedPlace, key: Uint8Array): Promise<Version & { bytes: Buffer }> {
  if (existing.stat.size > maxSearchedBytes) {
    throw unsuitable(`is larger than ${maxSearchedBytes >> 20} MB`, 'Change it with sed in safe_bash.')
  }
  const file = openFound(existing)
  try {
    const { hash, bytes } = await readFileVersion(file, key)
    return { hash, bytes: bytes ?? (await file.read(0, file.stat.size)) }
  } finally {
    file.close()
  }
}

function editableText(bytes: Buffer): { text: string; encoding: TextEncoding } {
  const kind = fileKind(bytes, true)
  if (kind.kind !== 'text') throw unsuitable('is not text', 'Change it with a program in safe_bash.')
  const { encoding } = kind
  const text = decodeText(bytes, encoding)
  // What is not edited must stay as it is.
  if (!encodeText(text, encoding, bytes).equals(bytes)) {
    throw unsuitable(`contains bytes that are not ${encoding}`, 'Change it with a program in safe_bash.')
  }
  return { text, encoding }
}

function encoded(text: string, encoding: TextEncoding, like: Buffer): Buffer {
  const bytes = encodeText(text, encoding, like)
  if (decodeText(bytes, encoding) === text) return bytes
  const hint = 'Convert the file with iconv in safe_bash first, or write other characters.'
  throw unsuitable(`is ${encoding} text, which does not have all characters of \`new\``, hint)
}

/**
 * The places to replace. A text that begins or ends inside a secret matches nothing, because each guess would tell a
 * part of the secret, and the answer the rest of it.
 */
async function locateWhole(
  text: string,
  edits: readonly TextEdit[],
  { scrub }: ToolHost,
): Promise<Replacement[][]> {
  const isWhole = async (places: readonly Replacement[]): Promise<boolean> =>
    keepsSecretsWhole(text, places, scrub)
  // One place inside a secret must not hide the others: their absence would tell that there is one.
  const wholeOf = async (places: readonly Replacement[]): Promise<Replacement[]> => {
    if (places.length === 0 || (await isWhole(places))) return [...places]
    const half = places.length >> 1
    return half === 0
      ? []
      : [...(await wholeOf(places.slice(0, half))), ...(await wholeOf(places.slice(half)))]
  }
  let located = locateEdits(text, edits)
  if (!(await isWhole(located.flat()))) {
    const whole: Replacement[][] = []
    for (const places of located) whole.push(await wholeOf(places))
    const isAnyGone = whole.some(({ length }, at) => length < located[at]!.length)
    located = isAnyGone ? whole : whole.map(() => [])
  }
  const problem = problemWith(text, edits, located)
  if (problem === undefined) return located
  throw new ContextdError('EDIT_NOT_APPLIED', { ...problem, edit: String(problem.edit) })
}

/** More are in the file: an agent knows what it wrote. */
const maxShownLines = 60
/** Scrubbed together with the lines, before and after them: longer than any key. */
const surroundingLines = 200

/** The changed lines, with their numbers. */
async function shownLines({ text, changed }: EditedText, { scrub }: ToolHost): Promise<string> {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const shown: string[] = []
  let total = 0
  for (const { first, last } of changed) {
    const part = lines.slice(first - 1, last)
    total += part.length
    const visible = part.slice(0, maxShownLines - shown.length)
    if (visible.length === 0) continue
    const around = lines.slice(Math.max(0, first - 1 - surroundingLines), last + surroundingLines)
    const masked = await withoutSecretParts(visible.join('\n'), around.join('\n'), scrub)
    shown.push(...masked.split('\n').map((line, index) => `${first + index}\t${line}`))
  }
  if (total > shown.length) shown.push(`[${total - shown.length} more changed lines]`)
  return shown.join('\n')
}
