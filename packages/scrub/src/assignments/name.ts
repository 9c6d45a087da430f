/** What a name says about its value: `dbPassword` is a secret, `password_file` only says where one is. */

export type NameClass =
  /** A password or similar: nearly any value is a secret. */
  | 'password'
  /** A secret if the value looks like one. */
  | 'secret'
  /** Like `secret`, but a UUID is only an id. */
  | 'session'
  | 'none'

/** The keywords that the scan stops at: prefixes of words in names, in lower case. */
export const nameKeywords: readonly string[] = [
  'pass',
  'pwd',
  'psw',
  'pw=',
  'pw:',
  'secret',
  'token',
  'key',
  'credential',
  'auth',
  'bearer',
  'cookie',
  'session',
  'sessid',
  'signature',
  'sig=',
  'salt',
  'pepper',
  'webhook',
  'dsn',
  'psk',
  'pin=',
  'pin:',
  'otp',
  'totp',
  'passcode',
  'jwt',
  'seed',
  'mnemonic',
  'community',
  'crumb',
  'nonce',
  'conn',
  'sas',
]

const passwords = new Set([
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'passcode',
  'passwort',
  'pass',
  'pwd',
  'psw',
  'pswd',
  'pw',
  'userpassword',
  'userpass',
  'dbpass',
  'dbpassword',
  'dbpasswd',
  'mysqlpwd',
  'pgpassword',
  'pgpass',
  'sshpass',
  'rootpw',
  'bindpw',
  'rootpass',
  'requirepass',
  'masterauth',
  'storepass',
  'keypass',
  'keystorepass',
  'truststorepassword',
  'keystorepassword',
  'mysqlpass',
  'mysqlpassword',
  'ansiblepassword',
  'psk',
])

const secrets = new Set([
  'secret',
  'secrets',
  'token',
  'tokens',
  'key',
  'keys',
  'apikey',
  'apikeys',
  'apitoken',
  'apisecret',
  'appkey',
  'appsecret',
  'authkey',
  'authtoken',
  'accesskey',
  'accesstoken',
  'accountkey',
  'secretkey',
  'secrettoken',
  'privatekey',
  'privkey',
  'sharedkey',
  'sharedaccesskey',
  'masterkey',
  'signingkey',
  'signingsecret',
  'encryptionkey',
  'clientsecret',
  'consumerkey',
  'consumersecret',
  'refreshtoken',
  'idtoken',
  'sessiontoken',
  'sessionkey',
  'usertoken',
  'credential',
  'credentials',
  'cred',
  'creds',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'pepper',
  'webhook',
  'dsn',
  'otp',
  'totp',
  'pin',
  'jwt',
  'mnemonic',
  'sas',
  'pat',
])

const sessions = new Set(
  'sessionid session sessid sid signature sig salt seed community crumb cert phpsessid jsessionid'.split(' '),
)

/** A name that ends with one of these words describes a secret instead of containing one. */
const descriptiveWords = new Set(
  (
    'file files filename path paths dir folder url uri urls endpoint host name names type types length size count ' +
    'len limit max min policy policies expiry expires expiration expired expire ttl timeout age algorithm alg algo ' +
    'format prefix suffix field fields label labels hint hints placeholder title text message description error errors ' +
    'validator validation regex pattern rules rule provider providers manager service factory store storage source ' +
    'index offset version status state enabled required optional disabled mode strategy method methods arn ref refs ' +
    'reference kind usage scope scopes help class input form page button icon column table schema bits spec option ' +
    'options config settings handler callback event events code codes board boards word words frame frames stroke ' +
    'press down up map maps value set list array set sets string str s er ized izer iser izers parser ring rings ' +
    'binding bindings chain reset change update rotation strength meter checker check fingerprint thumbprint digest ' +
    'hash hashes checksum sum kid keyid generated prompt changed lastset env var variable vars'
  ).split(' '),
)

/** A key or token preceded by one of these words does not grant access. */
const harmlessQualifiers = new Set(
  (
    'shard dedup lookup build data blob gpg pgp public primary foreign cache sort partition object idempotency idempotence composite unique natural hot short ' +
    'shortcut sequence row column dict dictionary map react list item group order sorting storage row routing ' +
    'translation i18n message event next previous prev page pagination continuation continue max min num total ' +
    'count input output prompt completion cached css design syntax lexer parser special reserved pad bos eos cls sep ' +
    'mask unk vocab author authors authority compass bypass passed passes passing passenger passive passport keyword ' +
    'keywords keyboard monkey turkey hockey whiskey donkey jockey hotkey hotkeys keycode registry etag cursor sync ' +
    'resource trace span correlation request translate anchor slot'
  ).split(' '),
)

/** Splits at `_`, `-`, `.`, digits and changes of case: `APIKey` becomes `api`, `key`. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

const classified = new Map<string, NameClass>()
const maxCachedNames = 10_000
/** V8 copies slices up to this length; a longer one would keep the whole text in memory. */
const maxCachedLength = 12

/** Cached, because a text repeats a few names many times. */
export function classifyName(name: string): NameClass {
  if (name.length > maxCachedLength) return classOfName(name)
  let nameClass = classified.get(name)
  if (nameClass === undefined) {
    nameClass = classOfName(name)
    if (classified.size >= maxCachedNames) classified.clear()
    classified.set(name, nameClass)
  }
  return nameClass
}

function classOfName(name: string): NameClass {
  const words = nameWords(name)
  const last = words.at(-1)
  if (last === undefined || descriptiveWords.has(last)) return 'none'
  if (last === 'id' || last === 'ids') return classOfId(words)
  if (words.some((word, i) => /^pass(?:w|ph)/.test(word) || (passwords.has(word) && i >= words.length - 2)))
    return 'password'
  let key = words.findLastIndex((word) => secrets.has(word))
  if (key !== -1) {
    // Usually the id of something.
    if (words.length === 1 && last === 'key') return 'session'
    while (secrets.has(words[key - 1] ?? '')) key--
    return harmlessQualifiers.has(words[key - 1] ?? '') ? 'none' : 'secret'
  }
  if (words.some((word) => sessions.has(word))) return 'session'
  // Words without a separator, such as `mysecretkey` or `DATABASEPASSWORD`.
  if (/(?:password|passwd|passphrase)$/.test(last)) return 'password'
  return /(?:secret|token|apikey|secretkey|accesskey)$/.test(last) ? 'secret' : 'none'
}

/** Ids are public, except session ids, which authenticate by themselves, and the ids of access key pairs. */
function classOfId(words: readonly string[]): NameClass {
  const name = words.join('')
  if (/secretid$|accesskeyid$/.test(name)) return 'secret'
  return /sess(?:ion)?id$|^sid$/.test(name) ? 'session' : 'none'
}
