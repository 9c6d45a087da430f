/**
 * Scrubs a tool's output while preserving its shape: the client silently ignores a replacement with another shape,
 * and the model would read the original.
 */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** Maps every text in an output and leaves everything else unchanged. Returns the same value if nothing changed. */
export async function mapTexts(
  answer: Json,
  change: (text: string, key: string) => string | Promise<string>,
): Promise<Json> {
  const walk = async (value: Json, key: string): Promise<Json> => {
    if (typeof value === 'string') return change(value, key)
    if (Array.isArray(value)) return sameOr(value, (item) => walk(item, key))
    if (!isJsonObject(value) || value.isImage === true) return value
    const entries = Object.entries(value)
    const mapped: [string, Json][] = []
    for (const [name, item] of entries) {
      mapped.push([name, isBinary(name, item, value) ? item : await walk(item, name)])
    }
    const changed = mapped.some(([, item], index) => item !== entries[index]![1])
    return changed ? Object.fromEntries(mapped) : value
  }
  return walk(answer, '')
}

async function sameOr(items: Json[], map: (item: Json) => Promise<Json>): Promise<Json[]> {
  const mapped: Json[] = []
  for (const item of items) mapped.push(await map(item))
  return mapped.some((item, index) => item !== items[index]) ? mapped : items
}

const binaryFields: ReadonlySet<string> = new Set(['base64', 'data', 'blob', 'image_data'])
const binaryHints = ['media_type', 'mimeType', 'mediaType', 'originalSize', 'dimensions']

/** Images and documents are base64, which a token would only corrupt. */
function isBinary(name: string, value: Json, holder: JsonObject): boolean {
  return (
    binaryFields.has(name) &&
    typeof value === 'string' &&
    /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/.test(value) &&
    binaryHints.some((hint) => hint in holder)
  )
}

const withheldText = '[contextd withheld this: it could not be checked for secrets]'
/** Fields in which tools return content; short texts elsewhere are part of the shape. */
const textFields: ReadonlySet<string> = new Set([
  'content',
  'text',
  'stdout',
  'stderr',
  'source',
  'result',
  'output',
])
const maxNameLength = 40

/** The output with all content removed, for when it cannot be checked. */
export async function withheld(answer: Json): Promise<Json> {
  if (typeof answer === 'string') return withheldText
  return mapTexts(answer, (text, key) => {
    if (text === '') return text
    return textFields.has(key) || text.length > maxNameLength ? withheldText : text
  })
}
