/** Is the value under a telling name a secret, or a placeholder, a reference, a piece of code, a word? */

import { looksRandom } from '../text/randomness.ts'
import type { NameClass } from './name.ts'

export interface ValueContext {
  readonly name: NameClass
  /** How the value stands there: in quotes, by itself (a configuration line, an argument), or in the middle of something. */
  readonly style: 'quoted' | 'alone' | 'inline'
  /** The name is written as environment variables are: nothing but a literal can follow. */
  readonly environment: boolean
}

export function isSecretValue(value: string, { name, style, environment }: ValueContext): boolean {
  if (value.length < 4) return false
  if (name !== 'password' && (value.length < 10 || !(looksRandom(value) || isMixed(value)))) return false
  if (name === 'session' && /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{1,16})$/i.test(value))
    return false
  if (isPlaceholder(value) || isReference(value, style) || /^\\[xuU]/.test(value)) return false
  if (name === 'password') return isPassword(value, style, environment)
  return !(style !== 'quoted' && /[([{]/.test(value)) && isIssued(value)
}

/** Capitals, small letters, digits and signs: made up by a person to be hard to guess. */
function isMixed(value: string): boolean {
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value) && /[!@#%^&*?~]/.test(value)
}

/** Issued by a machine: random, and nothing that is random for other reasons. */
function isIssued(value: string): boolean {
  return !/\s/.test(value) && !isPublicValue(value) && (isMixed(value) || !isComposed(value))
}

/** `node-cache-linux-x64-npm-…`: whatever random part it has, a name put together of words opens nothing. */
function isComposed(value: string): boolean {
  return (value.match(/(?<![^-_.:/])[A-Z]?[a-z]{2,}(?=[-_.:/])/g)?.length ?? 0) >= 3
}

/** Hashes named as such, versions, dates, addresses, public keys: random or not, they open nothing. */
export function isPublicValue(value: string): boolean {
  return (
    /^(?:sha(?:1|224|256|384|512)|md5|h1)[-:]/i.test(value) ||
    /^\d{4}-\d\d-\d\d[T ]?/.test(value) ||
    isVersion(value) ||
    /^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2|AAAA[BCE][23]Nz|MII[A-Z]|MFkw|MCow)/.test(value) ||
    /^(?:arn:|urn:|[a-z][a-z+.-]*:\/\/|[A-Z]:\\)/.test(value) ||
    isPath(value) ||
    /^0x[0-9a-f]{1,16}$/i.test(value) ||
    /^SHA256:|^[0-9a-f]{2}(?::[0-9a-f]{2}){9,}$/i.test(value)
  )
}

/** `1.20.3-rc1+build`: numbers with dots between them, and short words behind. */
function isVersion(value: string): boolean {
  const [numbers] = /^v?\d+(?:\.\d+(?![A-Za-z\d]))+/.exec(value) ?? []
  return numbers !== undefined && /^(?:[-+.][A-Za-z0-9]{1,12})*$/.test(value.slice(numbers.length))
}

/** Of what stands between its slashes, nothing looks like a key. */
function isPath(value: string): boolean {
  if (!/^(?:\.{0,2}|~)\/[\w.@+-]+\/|^[\w.-]+\/[\w.-]+\/|^(?:\.{1,2}|~)\/|^\/[a-z.-]*$/.test(value))
    return false
  return value.split('/').every((part) => part.length < 12 || !looksRandom(part))
}

function isPassword(value: string, style: ValueContext['style'], environment: boolean): boolean {
  if (/\s/.test(value) && !isPhrase(value, style)) return false
  if (isPath(value) || /^[a-z][a-z+.-]*:\/\//i.test(value) || /^0x[0-9a-f]{1,16}$/i.test(value)) return false
  if (environment) return true
  if (isCode(value, style)) return false
  const hasDigit = /\d/.test(value)
  const hasLetter = /\p{L}/u.test(value)
  if (hasDigit && hasLetter) return style !== 'inline' || (value.length >= 6 && !isIdentifier(value))
  if (hasDigit) return style === 'quoted' && /^\d{6,}$/.test(value)
  if (!hasLetter || value.length < 6) return false
  return /[!@#$%^&*+=~?]/.test(value) || (value.length >= 12 && looksRandom(value))
}

/** A few words in quotes of which one is a password by itself. */
function isPhrase(value: string, style: ValueContext['style']): boolean {
  const parts = value.split(' ')
  return (
    style === 'quoted' &&
    parts.length <= 4 &&
    parts.some(
      (part) =>
        /[A-Za-z]\d|\d[A-Za-z]/.test(part) &&
        (/[^\w.:-]/.test(part) || (/[A-Z]/.test(part) && /[a-z]/.test(part))),
    )
  )
}

/** A call, an index, an operator, a property: `getPassword()`, `config["x"]`, `user.password`. */
function isCode(value: string, style: ValueContext['style']): boolean {
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$*]*)+$/.test(value)) return true
  if (style === 'quoted') return /^[A-Za-z_$][\w$.]*\(.*\)$/.test(value)
  return /[([{]|=>|&&|\|\||\?\?|::|->/.test(value)
}

/** `password2`, `new_password`: more likely a name than a password, in the middle of a line. */
function isIdentifier(value: string): boolean {
  return /^[A-Za-z_$]+(?:-[A-Za-z]+(?:_[A-Za-z]+)*)*\d{0,2}$/.test(value)
}

const placeholderWords =
  /^(?:x{3,}|\*+|\.{3,}|-+|_+|0+|1234|changeme|change[-_]?(?:me|it|this)|example|sample|dummy|fake|mock|test|testing|todo|tbd|fixme|null|nil|none|undefined|true|false|yes|no|on|off|empty|blank|default|string|str|text|number|int|bool|boolean|object|array|any|unknown|void|required|optional|redacted|masked|hidden|removed|filtered|secret|password|passwd|token|apikey|key|value|your.*|my[-_]?(?:password|secret|token|key)|insert.*|enter.*|replace.*|placeholder.*|some[-_].*|foo|bar|baz|abc|foobar|user|username|admin|root|plaintext|prompt|ask|md5|sha\d+|bcrypt|scram.*|pass|passphrase|bearer|basic|digest|negotiate|input|self|this|name|id|type|env|file|stdin|prohibit-password|sufficient|requisite)$/i

export function isPlaceholder(value: string): boolean {
  if (placeholderWords.test(value)) return true
  if (/^<[^>]*>?$|^\[[^\]]*\]?$|^\{[^}]*\}?$|^%[^%]*%$/.test(value)) return true
  if (/(?:x{6,}|X{6,}|\*{4,}|\.{4,}|#{4,}|•{3,})/.test(value)) return true
  if (/your[-_ ]?(?:own|api|app|secret|token|key|password|access|account|client|project)/i.test(value))
    return true
  if (/(?:example|placeholder|changeme|redacted|dummy|not-?a-?real|insert|replace)[-_]?/i.test(value)) {
    return !looksRandom(value.replace(/example|placeholder|changeme|redacted|dummy|insert|replace/gi, ''))
  }
  if (/^0?(?:123456789?0{0,2}|(?:abcdef(?:gh)?|deadbeef)0?)+$/i.test(value)) return true
  return value.length > 1 && new Set(value).size <= 2
}

/** Stands for a value that is elsewhere. */
function isReference(value: string, style: ValueContext['style']): boolean {
  if (/^\$(?:\{|\(|[A-Za-z_]\w*$)/.test(value) || (style !== 'quoted' && /^\$[A-Za-z_]/.test(value)))
    return true
  if (
    /^(?:\{\{|<%|%\(|#\{|@\{|!Ref|!Sub|!vault|ENC\[|ref\+|op:\/\/|vault:|@Microsoft\.KeyVault|ssm:|awssm:)/i.test(
      value,
    )
  )
    return true
  if (style === 'quoted') return /^(?:\$\{[^}]*\}|%[sdv])$/.test(value)
  return /^(?:process\.env|os\.environ|os\.getenv|getenv|env\.|ENV\[|secrets\.|var\.|local\.|data\.|module\.|self\.|this\.|args\.|config\.|settings\.|options\.|props\.|req\.|request\.|ctx\.|params\.|await|new|function|lambda|typeof|async|return)/.test(
    value,
  )
}
