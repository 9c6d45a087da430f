import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { compileSecretRules } from '../find/compile-rules.ts'
import { findInText } from '../find/find-in-text.ts'
import { mergeSpans } from '../text/span.ts'
import { isSecretUnder } from './find.ts'

const rules = compileSecretRules([])
const secretsIn = (text: string): string[] =>
  mergeSpans(findInText(text, rules)).map(({ start, end }) => text.slice(start, end))

describe('finds the value and nothing around it', () => {
  test.each([
    ['shell', 'export DB_PASSWORD=«hunter2»\n'],
    ['shell, special characters', 'DB_PASSWORD=«p@ss&w0rd;x»\nNEXT=1'],
    ['a password that starts like a path', 'PWD=«/Xk3ZqP9aLw7Rt2/t7Q»'],
    ['environment, letters only', 'MYSQL_ROOT_PASSWORD=«letmein»'],
    ['docker inspect', '"Env": ["PATH=/usr/bin", "API_TOKEN=«{alnum:24}»"]'],
    ['JSON', '{"user": "bob", "password": "«hunter2!»"}'],
    ['JSON in JSON', String.raw`{\"apiKey\":\"«{hex:32}»\"}`],
    ['JSON in JSON in JSON', String.raw`\\\"client_secret\\\":\\\"«{alnum:32}»\\\"`],
    ['YAML', 'database:\n  password: «s3cr3t-w0rd»\n  host: db'],
    ['quoted YAML', "  password: '«s3cr3t w0rd?»'".replace(' w0rd', '_w0rd')],
    ['aligned INI', 'password     = «hunter22»'],
    ['properties', 'spring.datasource.password=«hunter22»'],
    ['TOML', 'token = "«{alnum:40}»"'],
    ['XML element', '<password>«hunter22»</password>'],
    ['XML attribute', '<user name="bob" password="«hunter22»"/>'],
    ['XML pair', '<add key="ApiKey" value="«{hex:32}»" />'],
    ['JSON pair', '{"name": "DB_PASSWORD", "value": "«s3cr3t!»"}'],
    ['YAML pair', '- name: API_TOKEN\n  value: «{hex:24}»\n'],
    ['Python', "secret_key = b'«{alnum:30}»'"],
    ['Ruby', ":api_token => '«{alnum:30}»',"],
    ['Go', 'apiKey := "«{alnum:30}»"'],
    ['PHP', "define('DB_PASSWORD', '«hunter22»');".replace("'DB_PASSWORD', ", "'DB_PASSWORD' => ")],
    ['connection string', 'Server=db;User Id=sa;Password=«Pa55w0rd!»;Encrypt=true'],
    ['query string', 'GET /v1?user=1&access_token=«{hex:40}»&page=2'],
    ['flag', 'tool --password «hunter22» --verbose'],
    ['header', 'X-Api-Key: «{alnum:32}»'],
    ['sentence', 'The password is «hunter22».'.replace('».', '»')],
    ['Markdown', '**Token**: `«{alnum:32}»`'],
    ['table', '| API_TOKEN | «{alnum:32}» |'],
    ['CSV', 'API_TOKEN,«{alnum:32}»,2024'],
    ['Terraform', '"db_password": { "value": "«{alnum:16}»", "type": "string" }'],
    ['aligned columns', 'password            «{alnum:16}»\n'],
    ['function call', "define( 'DB_PASSWORD', '«{alnum:16}»' );"],
    ['argument list', '["server", "--admin-password", "«{alnum:16}»"]'],
    ['truncated', 'password: "«hunter22»'],
  ])('%s', (_, recipe) => {
    const { text, secret } = makeSample(recipe, seededRandom(3))
    expect(secretsIn(text)).toEqual([secret])
  })

  test('the credentials of an Authorization header, without the scheme', () => {
    const { text, secret } = makeSample(
      '> Authorization: Bearer «{alnum:40}»\r\n> Accept: */*',
      seededRandom(4),
    )
    expect(secretsIn(text)).toEqual([secret])
  })

  test('only the session cookies of a Cookie header', () => {
    const { text, secret } = makeSample(
      'Cookie: theme=dark; lang=en; sid=«{hex:32}»; tz=Europe/Paris',
      seededRandom(5),
    )
    expect(secretsIn(text)).toEqual([secret])
  })
})

describe('ignores', () => {
  test.each([
    'PWD=/tmp/tmp.Xk3ZqP9aLw/repo\nOLDPWD=/tmp/tmp.Xk3ZqP9aLw\n',
    'PWD=/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/tmp9a',
    '{"PWD": "/home/anna/.cache/pnpm/v3/tmp_Ab3dE9xY"}',
    'const password = getPassword()',
    'password: string',
    'let token = user.token;',
    'this.apiKey = options.apiKey',
    'password = os.environ["DB_PASSWORD"]',
    'DB_PASSWORD=${DB_PASSWORD}',
    'password: <your password>',
    'API_KEY=your_api_key_here',
    'token: ********',
    'password: changeme',
    'password_file = /run/secrets/db_password_1',
    'max_tokens: 4096',
    'key: value1',
    '"primary_key": "a1b2c3d4e5f6a7b8c9d0"',
    '"public_key": "9f8e7d6c5b4a39281706f5e4d3c2b1a0"',
    '<label for="password">Password</label>',
    'keyboard.press("Control+Shift+K1234567890")',
    'import { token } from "./token-utils.js"',
    'js-tokens@^4.0.0:\n  version "4.0.0"',
    'if (password.length < 8) throw new Error("Password must have 8 characters")',
    '"session": "7c9e6679-7425-40de-944b-e07fc1f90ae7"',
    'Cache restored from key: node-cache-linux-x64-npm-0a1c5e7b9d2f4a6c8e0b1d3f5a7c9e2b',
    '"passwordHint": "At least 12 characters, 1 digit"',
  ])('%s', (text) => {
    expect(secretsIn(text)).toEqual([])
  })
})

test('a value in a structure is judged by its key', () => {
  expect(isSecretUnder('password', 'hunter22')).toBe(true)
  expect(isSecretUnder('note', 'hunter22')).toBe(false)
  expect(isSecretUnder('password', 'changeme')).toBe(false)
})
