/** What a name says of the value under it: `dbPassword` holds a secret, `password_file` says where one is. */

export type NameClass =
  /** A password and the like: nearly any value is a secret. */
  | 'password'
  /** Holds a secret, if the value looks like one. */
  | 'secret'
  /** The same, but where it is a UUID it is only an id. */
  | 'session'
  | 'none'

/** How the words of names begin that the scan stops at. Lower case. */
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

/** A name that ends so speaks about a secret, not of one. */
const about = new Set(
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

/** With one of these before it, a key or token is none that gives access. */
const harmless = new Set(
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

/** Splits at `_`, `-`, `.`, digits and where the case says so; `APIKey` is `api`, `key`. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

const classified = new Map<string, NameClass>()
const maxRemembered = 10_000
/** A longer slice would keep the whole text it was cut from in memory. */
const maxRememberedLength = 12

/** Remembered, because a text has few names and each of them often. */
export function classifyName(name: string): NameClass {
  if (name.length > maxRememberedLength) return judgeName(name)
  let found = classified.get(name)
  if (found === undefined) {
    found = judgeName(name)
    if (classified.size >= maxRemembered) classified.clear()
    classified.set(name, found)
  }
  return found
}

function judgeName(name: string): NameClass {
  const words = nameWords(name)
  const last = words.at(-1)
  if (last === undefined || about.has(last)) return 'none'
  if (last === 'id' || last === 'ids') return classOfId(words)
  if (words.some((word, i) => /^pass(?:w|ph)/.test(word) || (passwords.has(word) && i >= words.length - 2)))
    return 'password'
  let key = words.findLastIndex((word) => secrets.has(word))
  if (key !== -1) {
    // An id of something, more often than not.
    if (words.length === 1 && last === 'key') return 'session'
    while (secrets.has(words[key - 1] ?? '')) key--
    return harmless.has(words[key - 1] ?? '') ? 'none' : 'secret'
  }
  if (words.some((word) => sessions.has(word))) return 'session'
  // One word run together, as in `mysecretkey` or `DATABASEPASSWORD`.
  if (/(?:password|passwd|passphrase)$/.test(last)) return 'password'
  return /(?:secret|token|apikey|secretkey|accesskey)$/.test(last) ? 'secret' : 'none'
}

/** Ids are public but for those that are the whole proof of who is asking: sessions, and the ids in access key pairs. */
function classOfId(words: readonly string[]): NameClass {
  const name = words.join('')
  if (/secretid$|accesskeyid$/.test(name)) return 'secret'
  return /sess(?:ion)?id$|^sid$/.test(name) ? 'session' : 'none'
}
