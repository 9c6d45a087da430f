/** The strings of a JSON document with their offsets, which `JSON.parse` does not provide. */

export interface JsonString {
  /** The keys and indexes on the path to it. */
  readonly path: readonly (string | number)[]
  readonly value: string
  /** Offset of the character after its opening quote. */
  readonly start: number
}

/** Real documents are not nested deeper. */
const maxDepth = 100

/** Every string value, in order. Undefined if the text is not JSON, or nested too deeply. */
export function jsonStrings(text: string): JsonString[] | undefined {
  const strings: JsonString[] = []
  /** The current key or index at each level. */
  const path: (string | number)[] = []
  let isKey = false
  try {
    for (let at = 0; at < text.length; at++) {
      const last = path.length - 1
      const character = text[at]
      if (character === '{' || character === '[') {
        path.push(character === '{' ? '' : 0)
        isKey = character === '{'
        if (path.length > maxDepth) return undefined
      } else if (character === '}' || character === ']') {
        path.pop()
        isKey = false
      } else if (character === ',') {
        const step = path[last]
        isKey = typeof step === 'string'
        if (typeof step === 'number') path[last] = step + 1
      } else if (character === '"') {
        const end = endOfString(text, at + 1)
        const value = JSON.parse(text.slice(at, end + 1)) as string
        if (isKey) path[last] = value
        else strings.push({ path: [...path], value, start: at + 1 })
        isKey = false
        at = end
      }
    }
  } catch {
    return undefined
  }
  return strings
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\' && at - 1 - escapes >= start) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}

/** The offset in the document of a character of the string. */
export function offsetInJson(text: string, { start }: JsonString, index: number): number {
  let at = start
  for (let read = 0; read < index; read++) {
    if (text[at] !== '\\') at++
    else at += text[at + 1] === 'u' ? 6 : 2
  }
  return at
}
