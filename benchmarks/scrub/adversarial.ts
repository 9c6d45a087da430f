/** A text designed to be slow to scan: by quadratic search, nested repetition, or the number of hits. */
export interface AdversarialText {
  readonly name: string
  readonly text: string
}

/** Preserved by every scan that is not withheld. */
export const firstLine = 'an ordinary first line\n'

const armourLine = (word: string, label: string): string => `-----${word} ${label}-----`

const perKeyword: Readonly<Record<string, (keyword: string) => string>> = {
  alone: (keyword) => keyword,
  spaced: (keyword) => `${keyword} `,
  assigned: (keyword) => `${keyword}=`,
  'open quote': (keyword) => `${keyword}: "`,
  'then letters': (keyword) => `${keyword}abcdefghijklmnopqrst`,
}

/** The keyword once, followed by text that its rules may try to match to the end. */
const afterKeyword: Readonly<Record<string, string>> = {
  'then word characters': 'aB3_',
  'then spaces': ' ',
  'then equals signs': '= ',
}

const repeated: Readonly<Record<string, string>> = {
  'curl and carriage returns': '\r',
  curls: 'curl ',
  'curl header options': 'curl -H "',
  'curl users': 'curl -u ',
  keys: 'key',
  'keys with dots': 'key.',
  'keys and equals': 'key = ',
  'json keys': '{"password":',
  'open pem': `${armourLine('BEGIN', 'RSA PRIVATE KEY')}\n`,
  'open pem on one line': armourLine('BEGIN', 'PRIVATE KEY'),
  'closed pem': `${armourLine('END', 'PRIVATE KEY')}\n`,
  'pem edges in turn': `${armourLine('BEGIN', 'PRIVATE KEY')}\n${armourLine('END', 'PRIVATE KEY')}\n`,
  'open double quotes': '"',
  'open single quotes': "'",
  'open backticks': '`',
  'open tags': '<password>',
  'open braces': '{',
  'open brackets': '[',
  'jwt starts': 'eyJ',
  'jwt starts with dots': 'eyJhbGciOiJI.',
  'escaped quotes': '\\"',
  'nested escapes': '\\\\\\\\',
  'unicode escapes': '\\u0061',
  'unicode escapes of escapes': '\\u005cu005c',
  'hex escapes': '\\x61',
  'octal escapes': '\\141',
  'percent signs': '%',
  'percent escapes': '%61',
  'percent of percent': '%2525',
  'open entities': '&#',
  entities: '&#97;',
  'base64 letters': 'QUJD',
  'base64 of base64 letters': 'UVVKRA',
  'base64 with equals': 'QUI=',
  'hex letters': 'deadbeef',
  'hex pairs': 'de ad be ef ',
  'decimal list': '97, ',
  'octal list': '0141 ',
  'soft line breaks': 'a=\n',
  'line breaks': '\n',
  'returns and line breaks': '\r\n',
  tabs: '\t',
  spaces: ' ',
  'spaces and letters': 'a ',
  'zero-width characters': 'a\u200b',
  'colour codes': 'a\u001b[0m',
  'open colour codes': '\u001b[',
  urls: 'https://a:',
  'open urls': 'a://',
  'at signs': '@',
  'colons and at signs': ':@',
  'bearer words': 'Bearer ',
  'authorization headers': 'Authorization: ',
  cookies: 'Cookie: a=',
  'netrc words': 'machine login password ',
  'connection strings': 'Password=;',
  'aws words': 'aws_secret_access_key',
  'kubernetes secrets': 'kind: Secret\ndata:\n  ',
  'nuget tags': '<add key="ClearTextPassword" value=',
  'numbered lines': '     1\t',
  'diff marks': '+\n',
  'comma list': 'a,',
  pipes: '|',
  dashes: '-',
  underscores: '_',
  dots: '.',
  'tokens in brackets': '[SECRET_1]',
  'open tokens': '[SECRET_',
  'high surrogates': '\ud800',
  'non-latin letters': 'ключ',
  'null characters': '\0',
}

/** Yields every text once; `keywords` are those of the rules. */
export function* adversarialTexts(keywords: readonly string[], size: number): Generator<AdversarialText> {
  const fillTo = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
  for (const [name, unit] of Object.entries(repeated)) {
    yield { name, text: firstLine + fillTo(unit) }
    yield { name: `curl, then ${name}`, text: `${firstLine}curl ${fillTo(unit)}` }
    yield { name: `an assignment, then ${name}`, text: `${firstLine}password = "${fillTo(unit)}` }
  }
  for (const keyword of keywords) {
    for (const [name, shape] of Object.entries(perKeyword)) {
      yield { name: `${keyword} ${name}`, text: firstLine + fillTo(shape(keyword)) }
    }
    for (const [name, unit] of Object.entries(afterKeyword)) {
      yield { name: `${keyword} ${name}`, text: firstLine + keyword + fillTo(unit) }
    }
  }
  const all = keywords.join(' ')
  if (all !== '') {
    yield { name: 'all keywords in turn', text: firstLine + fillTo(`${all} `) }
    yield {
      name: 'all keywords assigned',
      text: firstLine + fillTo(keywords.map((word) => `${word}="`).join('')),
    }
  }
}
