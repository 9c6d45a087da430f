/**
 * Finds where a text could send something, interpreted as widely as any program might. Text that merely looks like a
 * destination (a file name, a version) is included: not restoring a secret does no harm.
 */

export interface TextDestination {
  /** Lowercase, without a trailing dot; empty if there is something that cannot be interpreted. */
  readonly host: string
  readonly port?: number
}

const dot = String.raw`(?:[.\u3002\uFF0E\uFF61]|%2e)`
const letter = String.raw`[\p{L}\p{N}\p{M}_-]`
const port = String.raw`(?::(\d{1,5})(?!\d))?`

/**
 * Everything after two slashes; ends only at characters that certainly end a host, so that obfuscation stays visible.
 */
const authority = /[/\\]{2,}([^/?# "'`<>]*)/g
/** `a.b`, `a.b.c:8080`, `.b`. After `word/` it is part of a path. */
const dottedName = new RegExp(
  `(?<!${letter})(?<![\\p{L}\\p{N}_.~%-]/)((?:${letter}+)?(?:${dot}${letter}+)+)${dot}?${port}`,
  'giu',
)
const afterAt = new RegExp(`@((?:${letter}|${dot})+)${port}`, 'giu')
const nameWithPort = new RegExp(`(?<![.]|${letter})(${letter}+):(\\d{1,5})(?!${letter})`, 'gu')
/** An IP address as one number, as older programs accept it. */
const numericAddress = new RegExp(`(?<![.]|${letter})(0x[0-9a-f]{6,}|\\d{8,})(?!${letter})`, 'giu')
const ipv6Address = /::|(?:[0-9a-f]{1,4}:){3,}/i
/** Some parsers treat these like addresses with slashes. */
const withoutSlashes = /(?<![\p{L}\p{N}])(?:https?|wss?|ftp|file):(?![/\\]{2})/iu
/** Characters that many parsers strip from addresses. */
const strippedCharacters = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu
/** Field names whose value is a destination even if it is a bare name. */
const destinationKey =
  /host|server|addr|proxy|url|uri|endpoint|domain|destination|gateway|upstream|relay|tunnel|resolve/i

/**
 * `text` has placeholders for its tokens, so that a name containing a token is seen as a whole. `key` is its field
 * name.
 */
export function destinationsIn(text: string, key?: string): TextDestination[] {
  // Programs differ in which characters they strip or treat as equal, so every interpretation counts.
  const normal = text.normalize('NFKC')
  const readings = new Set([text, normal, normal.replace(strippedCharacters, '')])
  const found = [...readings].flatMap(readQuoted)
  if (key !== undefined && found.length === 0 && destinationKey.test(key)) {
    const [name = ''] = /^[^/?#]*/.exec(normal.replace(strippedCharacters, '').trim()) ?? []
    if (name !== '') found.push(destination(name))
  }
  return found
}

function readQuoted(text: string): TextDestination[] {
  // With quotes, `{"n":5}` is data; without them, `n:5` would be a host and port.
  const found = [...matchesOf(nameWithPort, text), ...readOnce(text)]
  if (withoutSlashes.test(text)) found.push({ host: '' })
  // A shell removes quotes and backslashes before a program sees the word.
  return /['"\\]/.test(text) ? [...found, ...readOnce(text.replace(/['"\\]+/g, ''))] : found
}

function readOnce(text: string): TextDestination[] {
  const found = [dottedName, afterAt, numericAddress].flatMap((pattern) => matchesOf(pattern, text))
  for (const [, part = ''] of text.matchAll(authority)) found.push(readAuthority(part))
  if (ipv6Address.test(text)) found.push({ host: '' })
  return found
}

/** Whether a complete text is a web address at the wanted host, in a form that all parsers interpret alike. */
export function isAddressOf(text: string, wanted: string): boolean {
  const [, written = '', writtenPort] = plainAddress.exec(text) ?? []
  if (written === '' || !URL.canParse(text)) return false
  const { hostname, port } = new URL(text)
  return (
    isDestination(destination(hostname, port === '' ? undefined : port), wanted) &&
    isDestination(destination(written, writtenPort), wanted)
  )
}

/** Contains nothing that any parser would strip, decode or interpret differently. */
const plainAddress = /^https?:\/\/(?:[\w.~%+:-]*@)?([\w.-]+)(?::(\d{1,5}))?(?:[/?#][!#-;=?-Z_a-z~]*)?$/i

function matchesOf(pattern: RegExp, text: string): TextDestination[] {
  return Array.from(text.matchAll(pattern), ([, host = '', at]) => destination(host, at))
}

/** `api.example.com`, or `api.example.com:8443` for that port only. */
export function isDestination({ host, port }: TextDestination, wanted: string): boolean {
  const [name = '', wantedPort] = wanted.split(':')
  if (host !== withoutTrailingDot(name.toLowerCase())) return false
  const isDefaultPort = port === undefined || port === 80 || port === 443
  if (wantedPort === undefined) return isDefaultPort
  return port === Number(wantedPort) || (port === undefined && (wantedPort === '80' || wantedPort === '443'))
}

/** Without the user before the last `@`. */
function readAuthority(text: string): TextDestination {
  const [, host = '', at] = /^(.*?)(?::(\d{1,5}))?$/s.exec(text.slice(text.lastIndexOf('@') + 1)) ?? []
  return destination(host, at)
}

function destination(host: string, at?: string): TextDestination {
  const plain = withoutTrailingDot(host.toLowerCase())
  return at === undefined ? { host: plain } : { host: plain, port: Number(at) }
}

function withoutTrailingDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}
