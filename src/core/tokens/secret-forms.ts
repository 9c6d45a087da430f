/** Finds tokens in texts, and the forms in which a file may contain a secret. Pure. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { tokenPattern, tokenStart } from '@contextd/scrub/internal/secret-token'

/**
 * Also matches the escaped form in regular expressions and replacements of shell programs: `sed 's/x/\[SECRET_1\]/'`
 * writes the token.
 */
const shellTokenPattern = /\\{0,2}\[SECRET_\d{1,9}\\{0,2}\]/g

/** Every token in a value, including field names, whether or not it was ever issued. */
export function tokensIn(value: Json): Set<string> {
  return collect(value, tokenPattern)
}

/** The same for commands, where backslashes belong to the shell syntax and not to the text. */
export function tokensInShell(value: Json): Set<string> {
  return new Set([...collect(value, shellTokenPattern)].map((token) => token.replaceAll('\\', '')))
}

function collect(value: Json, pattern: RegExp): Set<string> {
  const tokens = new Set<string>()
  const look = (text: string): void => {
    if (text.includes(tokenStart)) for (const [token] of text.matchAll(pattern)) tokens.add(token)
  }
  const walk = (item: Json): void => {
    if (typeof item === 'string') look(item)
    else if (Array.isArray(item)) item.forEach(walk)
    else if (isJsonObject(item)) {
      for (const name of Object.keys(item)) {
        look(name)
        walk(item[name]!)
      }
    }
  }
  walk(value)
  return tokens
}

/** Max tokens listed in a message. */
const maxNamed = 10

/** For messages: `[SECRET_1], [SECRET_2] and 3 more`. */
export function listTokens(tokens: Iterable<string>): string {
  const all = [...new Set(tokens)]
  const more = all.length - maxNamed
  return all.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Max size of files searched for secrets: no tool call writes larger ones. */
export const maxSearchedBytes = 16 << 20

/**
 * The secret in the form in which the content has it, or undefined. A multi-line value may come from a listing with
 * line numbers, or have other line ends than the file. In JSON, strings are escaped.
 */
export function formIn(content: string, value: string): string | undefined {
  if (content.includes(value)) return value
  const form = value.includes('\n') ? formsOf(value).find((one) => content.includes(one)) : undefined
  if (form !== undefined) return form
  const escaped = JSON.stringify(value).slice(1, -1)
  return content.includes(escaped) ? escaped : undefined
}

function formsOf(value: string): string[] {
  const plain = value.replaceAll('\r\n', '\n')
  return [plain, ...withoutLineNumbers(plain)].flatMap((form) => [form, form.replaceAll('\n', '\r\n')])
}

/**
 * What programs put between a line's number and its text: `cat -n`, clients' own tools, `grep -n` and its context
 * lines.
 */
const separators = ['\t', '→', ':', '-', ': ', ' | ', '| ', '|', '  ', ' ']

/** The first line of a value starts after its number, so only later lines have one. */
function withoutLineNumbers(value: string): string[] {
  const [first = '', ...lines] = value.split('\n')
  return separators.flatMap((separator) => {
    const stripped: string[] = []
    let number: number | undefined
    for (const line of lines) {
      const digits = /^[ \t]{0,8}(\d{1,7})/.exec(line)
      const isNext = digits !== null && (number === undefined || Number(digits[1]) === number + 1)
      if (!isNext || !line.startsWith(separator, digits[0].length)) return []
      number = Number(digits[1])
      stripped.push(line.slice(digits[0].length + separator.length))
    }
    return [[first, ...stripped].join('\n')]
  })
}
