/**
 * Where a text could send something, read as widely as any program might read it. What is no destination but looks like
 * one (a file name, a version) counts too: a secret that is not put back does no harm.
 */

export interface Destination {
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
const withoutSlashes = /\bhttps?:(?![/\\]{2})/i

/** `text` has stand-ins for its tokens, so that what a token is a part of is seen as a whole. */
export function destinationsIn(text: string): Destination[] {
  // With its quotes `{"n":5}` is data, without them `n:5` would be a host and a port.
  const found = [...matchesOf(nameWithPort, text), ...readOnce(text)]
  // A shell takes quotes and backslashes out before a program sees the word.
  return /['"\\]/.test(text) ? [...found, ...readOnce(text.replace(/['"\\]+/g, ''))] : found
}

function readOnce(text: string): Destination[] {
  const found = [dottedName, afterAt, numericAddress].flatMap((pattern) => matchesOf(pattern, text))
  for (const [, part = ''] of text.matchAll(authority)) found.push(readAuthority(part))
  if (newAddress.test(text) || withoutSlashes.test(text)) found.push({ host: '' })
  return found
}

function matchesOf(pattern: RegExp, text: string): Destination[] {
  return Array.from(text.matchAll(pattern), ([, host = '', at]) => destination(host, at))
}

/** `api.example.com`, or `api.example.com:8443` where only that port is meant. */
export function isDestination({ host, port }: Destination, wanted: string): boolean {
  const [name = '', wantedPort] = wanted.split(':')
  if (host !== withoutLastDot(name.toLowerCase())) return false
  const isUsual = port === undefined || port === 80 || port === 443
  if (wantedPort === undefined) return isUsual
  return port === Number(wantedPort) || (port === undefined && (wantedPort === '80' || wantedPort === '443'))
}

/** Without the user in front of the last `@`. */
function readAuthority(text: string): Destination {
  const [, host = '', at] = /^(.*?)(?::(\d{1,5}))?$/s.exec(text.slice(text.lastIndexOf('@') + 1)) ?? []
  return destination(host, at)
}

function destination(host: string, at?: string): Destination {
  const plain = withoutLastDot(host.toLowerCase())
  return at === undefined ? { host: plain } : { host: plain, port: Number(at) }
}

function withoutLastDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}
