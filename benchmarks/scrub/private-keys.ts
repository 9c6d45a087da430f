import type { Random } from '@contextd/shared/testing/secret-samples'
import { asOneSecret, labelledCase, readMarks, type Case } from './case.ts'
import { base64, inLines, type Encoder } from './encoders.ts'
import { keyShapes, type KeyLine } from './private-key-shapes.ts'
import { fill, pick, randomFor } from './recipes.ts'

/** An armoured key: its prefix, the length of its body, and the lines in between. */
interface Armour {
  readonly label: string
  readonly headers?: readonly string[]
  /** The common prefix of all keys of this kind. */
  readonly opening: string
  readonly length: number
  readonly width?: number
  readonly dashes?: string
  readonly checksum?: boolean
}

const legacyHeaders = ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,{HEX:32}', '']

const armours: Readonly<Record<string, Armour>> = {
  'rsa-2048': { label: 'RSA PRIVATE KEY', opening: 'MIIEowIBAAKCAQEA', length: 1592 },
  'rsa-4096': { label: 'RSA PRIVATE KEY', opening: 'MIIJKAIBAAKCAgEA', length: 3152 },
  'rsa-encrypted': { label: 'RSA PRIVATE KEY', headers: legacyHeaders, opening: '', length: 1592 },
  'pkcs8-rsa': { label: 'PRIVATE KEY', opening: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', length: 1624 },
  'pkcs8-ec': { label: 'PRIVATE KEY', opening: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49', length: 184 },
  'pkcs8-ed25519': { label: 'PRIVATE KEY', opening: 'MC4CAQAwBQYDK2VwBCIEI', length: 64 },
  'pkcs8-encrypted': {
    label: 'ENCRYPTED PRIVATE KEY',
    opening: 'MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkq',
    length: 1764,
  },
  ec: { label: 'EC PRIVATE KEY', opening: 'MHcCAQEEI', length: 164 },
  dsa: { label: 'DSA PRIVATE KEY', opening: 'MIIDVQIBAAKCAQEA', length: 1144 },
  'openssh-ed25519': {
    label: 'OPENSSH PRIVATE KEY',
    opening: 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW',
    length: 348,
    width: 70,
  },
  'openssh-rsa': {
    label: 'OPENSSH PRIVATE KEY',
    opening: 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcn',
    length: 2540,
    width: 70,
  },
  pgp: {
    label: 'PGP PRIVATE KEY BLOCK',
    headers: ['Version: GnuPG v2', ''],
    opening: 'lQOYB',
    length: 3200,
    checksum: true,
  },
  ssh2: {
    label: 'SSH2 ENCRYPTED PRIVATE KEY',
    headers: ['Comment: "rsa-key"'],
    opening: 'P2/56wAAA',
    length: 1200,
    width: 70,
    dashes: '---- ',
  },
  cosign: { label: 'ENCRYPTED COSIGN PRIVATE KEY', opening: 'eyJrZGYiOnsibmFtZSI6InNjcnlwdCIs', length: 620 },
}

function armouredKey(armour: Armour, random: Random): KeyLine[] {
  const { label, headers = [], opening, length, width = 64, dashes = '-----', checksum } = armour
  const digits = fill(`{base64:${length - opening.length - 1}}`, random)
  const body = `${opening}${digits}=`.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  const edge = (word: string): KeyLine => ({
    text: `${dashes}${word} ${label}${dashes.split('').toReversed().join('')}`,
    secret: false,
  })
  return [
    edge('BEGIN'),
    ...headers.map((text) => ({ text: fill(text, random), secret: false })),
    ...body.map((text) => ({ text, secret: text.length >= 12 })),
    ...(checksum === true ? [{ text: `=${fill('{base64:4}', random)}`, secret: false }] : []),
    edge('END'),
  ]
}

type Cut = (lines: readonly KeyLine[], random: Random) => readonly KeyLine[]

const randomBetween = (min: number, max: number, random: Random): number =>
  min + Math.floor(random() * (max - min + 1))

const cuts: Readonly<Record<string, Cut>> = {
  head: (lines, random) => lines.slice(0, Math.min(lines.length - 1, randomBetween(3, 14, random))),
  'head-in-line': (lines, random) => {
    const kept = lines.slice(0, Math.min(lines.length - 1, randomBetween(3, 9, random)))
    const last = kept.at(-1)!
    return [...kept.slice(0, -1), { ...last, text: last.text.slice(0, randomBetween(40, 60, random)) }]
  },
  tail: (lines, random) => lines.slice(-Math.min(lines.length - 1, randomBetween(3, 14, random))),
  'tail-in-line': (lines, random) => {
    const kept = lines.slice(-Math.min(lines.length - 1, randomBetween(3, 9, random)))
    const first = kept[0]!
    return [{ ...first, text: first.text.slice(randomBetween(5, 30, random)) }, ...kept.slice(1)]
  },
}

/** Keys in other formats; only their private parts are marked. */
const otherKeys: Readonly<Record<string, string>> = {
  putty:
    'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ed25519-key\nPublic-Lines: 2\n' +
    'AAAAC3NzaC1lZDI1NTE5AAAAI{base64:39}\n{base64:16}\nPrivate-Lines: 1\n«{base64:47}=»\nPrivate-MAC: {hex:64}\n',
  'putty-rsa':
    'PuTTY-User-Key-File-2: ssh-rsa\r\nEncryption: aes256-cbc\r\nComment: rsa\r\nPublic-Lines: 2\r\n' +
    'AAAAB3NzaC1yc2EAAAA{base64:45}\r\n{base64:28}\r\nPrivate-Lines: 3\r\n' +
    '«{base64:64}»\r\n«{base64:64}»\r\n«{base64:32}»\r\nPrivate-MAC: {hex:40}\r\n',
  age: '# created: 2026-01-02T03:04:05Z\n# public key: age1{lower:58}\nAGE-SECRET-KEY-1«{[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]:58}»\n',
  jwk: '{"kty":"RSA","e":"AQAB","n":"{word:342}","d":"«{word:342}»","p":"«{word:171}»","q":"«{word:171}»"}',
  'jwk-ec': '{"kty":"EC","crv":"P-256","x":"{word:43}","y":"{word:43}","d":"«{word:43}»"}',
  'jwk-symmetric': '{"keys":[{"kty":"oct","alg":"HS256","k":"«{word:86}»"}]}',
  'xml-rsa':
    '<RSAKeyValue><Modulus>{base64:171}=</Modulus><Exponent>AQAB</Exponent><P>«{base64:86}==»</P><Q>«{base64:86}==»</Q><D>«{base64:171}=»</D></RSAKeyValue>',
  wireguard:
    '[Interface]\nPrivateKey = «{base64:43}=»\nAddress = 10.0.0.2/32\n\n[Peer]\nPublicKey = ‹{base64:43}=›\n',
  'service-account':
    '{"type":"service_account","project_id":"acme","private_key_id":"{hex:40}","private_key":"-----BEGIN §-----\\n«MIIEvQIBADANBgkq{base64:48}\\n{base64:64}\\n{base64:64}\\n{base64:32}»\\n-----END §-----\\n","client_email":"a@acme.iam.gserviceaccount.com"}',
  'certificate-then-key':
    '-----BEGIN CERTIFICATE-----\n‹MIIDdzCCAl+gAwIB{base64:48}›\n‹{base64:64}›\n-----END CERTIFICATE-----\n-----BEGIN §-----\n«MIIEvQIBADANBgkq{base64:48}\n{base64:64}\n{base64:28}»\n-----END §-----\n',
  'public-then-private':
    '-----BEGIN PUBLIC KEY-----\n‹MFkwEwYHKoZIzj0C{base64:48}›\n-----END PUBLIC KEY-----\n-----BEGIN EC §-----\n«MHcCAQEEI{base64:55}\n{base64:64}\n{base64:28}»\n-----END EC §-----\n',
  'two-keys':
    '-----BEGIN §-----\n«MIIEvQIBADANBgkq{base64:48}\n{base64:64}»\n-----END §-----\nthen\n-----BEGIN EC §-----\n«MHcCAQEEI{base64:55}\n{base64:40}»\n-----END EC §-----\n',
  'ssh-known-and-key':
    'github.com ssh-ed25519 ‹AAAAC3NzaC1lZDI1NTE5AAAAI{base64:43}›\n-----BEGIN OPENSSH §-----\n«b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAA{base64:36}\n{base64:70}\n{base64:30}»\n-----END OPENSSH §-----\n',
  ethereum: 'ETH_PRIVATE_KEY=0x«{hex:64}»',
}

const encodedWhole: Readonly<Record<string, Encoder>> = {
  'base64-of-key': base64,
  'base64-of-key-folded': (hidden) => inLines(76)(base64(hidden)),
}

export function privateKeyCases(): Case[] {
  return [...shapedCases(), ...otherCases(), ...encodedCases()]
}

function shapedCases(): Case[] {
  return Object.entries(keyShapes).flatMap(([shape, put]) =>
    Object.entries(armours).flatMap(([armour, recipe]) => {
      const random = randomFor(`keys/${shape}/${armour}`)
      const key = armouredKey(recipe, random)
      const whole = labelledCase(
        { class: 'keys-whole', unit: shape, variant: armour },
        asOneSecret(readMarks(put(key))),
      )
      const cut = pick(Object.entries(cuts), random)
      const left = cut[1](key, random)
      const rest = asOneSecret(readMarks(put(left)))
      // Truncating a short key may leave none of its body.
      return rest.planted.length === 0
        ? [whole]
        : [whole, labelledCase({ class: 'keys-cut', unit: shape, variant: `${armour}-${cut[0]}` }, rest)]
    }),
  )
}

function otherCases(): Case[] {
  return Object.entries(otherKeys).flatMap(([unit, template]) => {
    const random = randomFor(`keys/${unit}`)
    return ['plain', 'escaped'].map((variant) => {
      const filled = fill(template, random).replaceAll('§', 'PRIVATE KEY')
      const text = variant === 'plain' ? filled : JSON.stringify({ output: filled })
      return labelledCase({ class: 'keys-whole', unit, variant }, readMarks(text))
    })
  })
}

function encodedCases(): Case[] {
  return Object.entries(encodedWhole).flatMap(([unit, encode]) =>
    Object.entries(armours).map(([armour, recipe]) => {
      const random = randomFor(`keys/${unit}/${armour}`)
      const text = armouredKey(recipe, random)
        .map((line) => `${line.text}\n`)
        .join('')
      const encoded = encode({ text, stretches: [{ start: 0, end: text.length }] })
      return labelledCase(
        { class: 'keys-whole', unit, variant: armour },
        { text: encoded.text, planted: [encoded.stretches], kept: [] },
      )
    }),
  )
}
