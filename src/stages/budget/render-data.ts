import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/**
 * Renders the answer of our own tools as text, for clients that show the text block: one `key: value` per line,
 * multi-line text as a block below its key, one array item per line. Uses fewer tokens than the same JSON.
 */
export function renderData(data: Json): string {
  if (Array.isArray(data) && data.length > 0) return renderItems(data)
  if (isJsonObject(data)) return renderFields(data, '')
  return inline(data)
}

function renderFields(value: JsonObject, prefix: string): string {
  const lines: string[] = []
  for (const [key, field] of Object.entries(value)) {
    const name = `${prefix}${key}`
    if (isBlock(field)) lines.push(`${name}:\n${field}`)
    else if (Array.isArray(field) && field.length > 0) lines.push(`${name}:\n${renderItems(field)}`)
    else if (isJsonObject(field) && Object.keys(field).length > 0) lines.push(renderFields(field, `${name}.`))
    else lines.push(`${name}: ${inline(field)}`)
  }
  return lines.join('\n')
}

function renderItems(items: readonly Json[]): string {
  return items.map((item) => (isLine(item) ? `- ${inlineFields(item)}` : `-\n${renderData(item)}`)).join('\n')
}

function isBlock(value: Json): value is string {
  return typeof value === 'string' && value.includes('\n')
}

/** True if an item is readable on one line. */
function isLine(item: Json): boolean {
  if (isJsonObject(item))
    return Object.values(item).every(
      (field) => field === null || (typeof field !== 'object' && !isBlock(field)),
    )
  return !Array.isArray(item) && !isBlock(item)
}

function inlineFields(item: Json): string {
  if (!isJsonObject(item)) return inline(item)
  return Object.entries(item)
    .map(([key, field]) => `${key}: ${inline(field)}`)
    .join(', ')
}

function inline(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
