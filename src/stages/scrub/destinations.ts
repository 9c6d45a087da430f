/**
 * Where a text could send something, read as widely as any program might read it. What is no destination but looks like
 * one (a file name, a version) counts too: a secret that is not put back does no harm.
 */

export interface TextDestination {
  /** Lower case, without a last dot; empty where something is there that cannot be told. */
  readonly host: string
  readonly port?: number
}

const dot = String.raw`(?:[.\u3002\uFF0E\uFF61]|%2e)`
const letter = String.raw`[\p{L}\p{N}\p{M}_-]`
const port = String.raw`(?::(\d{1,5})(?!\d))?`

/** Whatever follows two slashes; only what surely ends a host ends it, so that tricks stay visible in it. */
const authority = /[/\\]{2,}([^/?# "'`<>]*)/g
/** `a.b`, `a.b.c:8080`, `.b`. Behind `word/` it is a part of a path. */
const dottedName = new RegExp(
  `(?<!${letter})(?<![\\p{L}\\p{N}_.~%-]/)((?:${letter}+)?(?:${dot}${letter}+)+)${dot}?${port}`,
  'giu',
)
const afterAt = new RegExp(`@((?:${letter}|${dot})+)${port}`, 'giu')
const nameWithPort = new RegExp(`(?<![.]|${letter})(${letter}+):(\\d{1,5})(?!${letter})`, 'gu')
/** An address as one number, as old programs take it. */
const numericAddress = new RegExp(`(?<![.]|${letter})(0x[0-9a-f]{6,}|\\d{8,})(?!${letter})`, 'giu')
const newAddress = /::|(?:[0-9a-f]{1,4}:){3,}/i
/** Some readers take these for addresses with slashes. */
const withoutSlashes = /(?<![\p{L}\p{N}])(?:https?|wss?|ftp|file):(?![/\\]{2})/iu
/** What many readers leave out before they read an address. */
const leftOut = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu
/** Keys whose value is a destination even where it is a bare name. */
const destinationKey =
  /host|server|addr|proxy|url|uri|endpoint|domain|destination|gateway|upstream|relay|tunnel|resolve/i

/**
 * `text` has stand-ins for its tokens, so that what a token is a part of is seen as a whole. `key` is the name it stands
 * under.
 */
export function destinationsIn(text: string, key?: string): TextDestination[] {
  // Readers differ in what they leave out and what they take for the same letter: each way of reading counts.
  const normal = text.normalize('NFKC')
  const readings = new Set([text, normal, normal.replace(leftOut, '')])
  const found = [...readings].flatMap(readQuoted)
  if (key !== undefined && found.length === 0 && destinationKey.test(key)) {
    const [name = ''] = /^[^/?#]*/.exec(normal.replace(leftOut, '').trim()) ?? []
    if (name !== '') found.push(destination(name))
  }
  return found
}

function readQuoted(text: string): TextDestination[] {
  // With its quotes `{"n":5}` is data, without them `n:5` would be a host and a port.
  const found = [...matchesOf(nameWithPort, text), ...readOnce(text)]
  if (withoutSlashes.test(text)) found.push({ host: '' })
  // A shell takes quotes and backslashes out before a program sees the word.
  return /['"\\]/.test(text) ? [...found, ...readOnce(text.replace(/['"\\]+/g, ''))] : found
}

function readOnce(text: string): TextDestination[] {
  const found = [dottedName, afterAt, numericAddress].flatMap((pattern) => matchesOf(pattern, text))
  for (const [, part = ''] of text.matchAll(authority)) found.push(readAuthority(part))
  if (newAddress.test(text)) found.push({ host: '' })
  return found
}

/** Whether a text as a whole is an address of the web at the wanted host, in a spelling that every reader takes alike. */
export function isAddressOf(text: string, wanted: string): boolean {
  const [, written = '', writtenPort] = plainAddress.exec(text) ?? []
  if (written === '' || !URL.canParse(text)) return false
  const { hostname, port } = new URL(text)
  return (
    isDestination(destination(hostname, port === '' ? undefined : port), wanted) &&
    isDestination(destination(written, writtenPort), wanted)
  )
}

/** Nothing of it is left out, decoded or taken for something else by anybody. */
const plainAddress = /^https?:\/\/(?:[\w.~%+:-]*@)?([\w.-]+)(?::(\d{1,5}))?(?:[/?#][!#-;=?-Z_a-z~]*)?$/i

function matchesOf(pattern: RegExp, text: string): TextDestination[] {
  return Array.from(text.matchAll(pattern), ([, host = '', at]) => destination(host, at))
}

/** `api.example.com`, or `api.example.com:8443` where only that port is meant. */
export function isDestination({ host, port }: TextDestination, wanted: string): boolean {
  const [name = '', wantedPort] = wanted.split(':')
  if (host !== withoutLastDot(name.toLowerCase())) return false
  const isUsual = port === undefined || port === 80 || port === 443
  if (wantedPort === undefined) return isUsual
  return port === Number(wantedPort) || (port === undefined && (wantedPort === '80' || wantedPort === '443'))
}

/** Without the user in front of the last `@`. */
function readAuthority(text: string): TextDestination {
  const [, host = '', at] = /^(.*?)(?::(\d{1,5}))?$/s.exec(text.slice(text.lastIndexOf('@') + 1)) ?? []
  return destination(host, at)
}

function destination(host: string, at?: string): TextDestination {
  const plain = withoutLastDot(host.toLowerCase())
  return at === undefined ? { host: plain } : { host: plain, port: Number(at) }
}

function withoutLastDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}
