/**
 * What a tool answered, without secrets and in the shape that it had: the client passes over a replacement of another
 * shape without a word, and the model reads the original.
 */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** Every text of an answer, changed; names and everything else stay. Answers the same value where nothing changed. */
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
      mapped.push([name, isPicture(name, item, value) ? item : await walk(item, name)])
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

const pictureFields: ReadonlySet<string> = new Set(['base64', 'data', 'blob', 'image_data'])
const pictureHints = ['media_type', 'mimeType', 'mediaType', 'originalSize', 'dimensions']

/** Pictures and documents come as base64: a token in them would only break them. */
function isPicture(name: string, value: Json, holder: JsonObject): boolean {
  return (
    pictureFields.has(name) &&
    typeof value === 'string' &&
    /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/.test(value) &&
    pictureHints.some((hint) => hint in holder)
  )
}

const withheldText = '[contextd withheld this: it could not be checked for secrets]'
/** Where tools put what they have read or heard; short texts elsewhere are what makes the shape. */
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

/** The answer with nothing of what it said, for when nobody could look. */
export async function withheld(answer: Json): Promise<Json> {
  if (typeof answer === 'string') return withheldText
  return mapTexts(answer, (text, key) => {
    if (text === '') return text
    return textFields.has(key) || text.length > maxNameLength ? withheldText : text
  })
}
