import type { Random } from '@contextd/shared/testing/secret-samples'
import { carrierTemplates } from './carrier-templates.ts'
import { labelledCase, readMarks, type Case } from './case.ts'
import { markedValue, selfDescribing } from './kinds.ts'
import { fill, pick, randomFor } from './recipes.ts'

/** Puts a marked value into a text that obscures its start, its end, or that it is a value. */
export type Carrier = (value: string, random: Random) => string

const kindsPerCarrier = 12

export function carrierCases(): Case[] {
  return Object.entries(carriers).flatMap(([unit, carry]) => {
    const random = randomFor(`carriers/${unit}`)
    return Array.from({ length: kindsPerCarrier }, () => pick(selfDescribing, random)).map(
      ([id, recipe], index) =>
        labelledCase(
          { class: 'carriers', unit, variant: `${index}-${id}` },
          readMarks(carry(markedValue(recipe, random), random)),
        ),
    )
  })
}

const json = (value: unknown): string => JSON.stringify(value)

/** Applies a change to the value and keeps the marks around it. */
const inside = (value: string, change: (plain: string) => string): string =>
  value.replace(/«([\s\S]*)»/, (_, plain: string) => `«${change(plain)}»`)

const middle = (plain: string, between: string): string => {
  const at = Math.floor(plain.length / 2)
  return plain.slice(0, at) + between + plain.slice(at)
}

const wrap = (plain: string, width: number, between: string): string =>
  (plain.match(new RegExp(`[\\s\\S]{1,${width}}`, 'g')) ?? []).join(between)

const handwritten: Record<string, Carrier> = {
  'json-compact': (value) => json({ id: 7, token: value, tags: ['a', 'b'] }),
  'json-pretty': (value) => JSON.stringify({ id: 7, auth: { token: value }, on: true }, undefined, 2),
  'json-in-json': (value) => json({ level: 'info', body: json({ token: value, n: 1 }) }),
  'json-in-json-in-json': (value) =>
    json({ log: json({ body: json({ token: value, n: 1 }) }), stream: 'stdout' }),
  'json-in-json-in-json-in-json': (value) => json([json({ a: json({ b: json({ c: value, d: 2 }) }) })]),
  'json-array': (value) => json(['x', value, 'y']),
  'json-key': (value) => json({ users: { [value]: { role: 'admin' } } }),
  'json-lines': (value) =>
    `${json({ t: 1, m: 'start' })}\n${json({ t: 2, m: `got ${value}` })}\n${json({ t: 3 })}\n`,
  'json-multi-line-text': (value) => json({ stdout: `A=1\nTOKEN=${value}\nB=2\n`, code: 0 }),
  'json-then-newline-escape': (value) => `"first\\n${value}\\nlast"`,
  'json-then-tab-escape': (value) => `"first\\t${value}\\tlast"`,
  'json-then-return-escape': (value) => `"first\\r\\n${value}\\r\\nlast"`,
  'json-unicode-quotes': (value) => `{\\u0022token\\u0022:\\u0022${value}\\u0022}`,
  notebook: (value) =>
    JSON.stringify(
      { cells: [{ cell_type: 'code', source: [`key = "${value}"\n`, 'run(key)'] }] },
      undefined,
      1,
    ),
  'ansi-coloured': (value) => `\u001b[32mtoken\u001b[0m=\u001b[1;33m${value}\u001b[0m done`,
  'ansi-inside': (value) => inside(value, (plain) => middle(plain, '\u001b[1m')),
  'ansi-256-colours': (value) => `key \u001b[38;5;214m${value}\u001b[39m\u001b[49m.`,
  'ansi-link': (value) => `\u001b]8;;https://a.io\u001b\\${value}\u001b]8;;\u001b\\ ok`,
  'ansi-erase-line': (value) => `\u001b[2K\r${value}\u001b[K\n`,
  'zero-width-after': (value) => `key ${value}\u200b, next`,
  'zero-width-before': (value) => `key \u200b${value} next`,
  'zero-width-inside': (value) => `key ${inside(value, (plain) => middle(plain, '\u200b'))} next`,
  'zero-width-joiner-inside': (value) => `key ${inside(value, (plain) => middle(plain, '\u200d'))} next`,
  'soft-hyphen-inside': (value) => `key ${inside(value, (plain) => middle(plain, '\u00ad'))} next`,
  'byte-order-mark-before': (value) => `\ufeff${value}\n`,
  'word-joiner-around': (value) => `\u2060${value}\u2060`,
  'direction-marks-around': (value) => `\u200e${value}\u200f`,
  'no-break-space-around': (value) => `key:\u00a0${value}\u00a0end`,
  'typographic-quotes': (value) => `the key is “${value}”, not “abc”`,
  'guillemets-like': (value) => `the key is ‘${value}’…`,
  'cjk-around': (value) => `令牌是${value}，请勿泄露。`,
  'emoji-around': (value) => `🔑${value}🔒`,
  'hard-wrapped': (value) => `key: ${inside(value, (plain) => middle(plain, '\n'))}\nnext`,
  'hard-wrapped-indented': (value) =>
    `  key: ${inside(value, (plain) => middle(plain, '\n       '))}\n  next: 1`,
  'hard-wrapped-crlf': (value) => `key: ${inside(value, (plain) => middle(plain, '\r\n'))}\r\nnext`,
  'backslash-continued': (value) =>
    `curl -H "X-Token: ${inside(value, (plain) => middle(plain, '\\\n'))}" https://a.io`,
  'wrapped-in-mail-quote': (value) =>
    `> use this:\n> ${inside(value, (plain) => wrap(plain, 24, '\n> '))}\n> thanks`,
  'wrapped-in-diff': (value) => `@@ -1,2 +1,3 @@\n+${inside(value, (plain) => middle(plain, '\n+'))}\n other`,
  'wrapped-terminal': (value) => inside(value, (plain) => wrap(plain, 30, '\n')),
  'wrapped-table-cell': (value) => `│ token │ ${inside(value, (plain) => middle(plain, ' │\n│       │ '))} │`,
  'string-concatenation': (value) => `const t = '${inside(value, (plain) => middle(plain, "' + '"))}'`,
  'string-concatenation-lines': (value) => `t = ("${inside(value, (plain) => middle(plain, '"\n     "'))}")`,
  'csv-line': (value, random) =>
    fill(`id,name,token,on\n{digits:4},deploy,${value},true\n{digits:4},x,,false\n`, random),
  'csv-quoted-twice': (value) => `"a","say ""${value}"" now","b"`,
  'tsv-line': (value) => `1\tdeploy\t${value}\t2026-01-01\n`,
  'long-line': (value) => `${'lorem ipsum dolor '.repeat(400)}${value} ${'sit amet '.repeat(400)}`,
  minified: (value) => `!function(e,t){var n=t(1),r="${value}";e.exports=n(r)}(this,function(e){return e});`,
  'after-control-characters': (value) => `\u0000\u0001${value}\u0000\u0000`,
  'bell-and-backspace': (value) => `prompt\u0007\u0008${value}\u0007`,
}

const before = [
  '(',
  '[',
  '<',
  '"',
  "'",
  '`',
  '=',
  ':',
  ',',
  '|',
  '>',
  '{',
  '/',
  '@',
  '*',
  '\\"',
  '&',
  ';',
  '#',
  '!',
]
const after = [
  ')',
  ']',
  '<',
  '"',
  "'",
  '`',
  '.',
  ':',
  ',',
  '|',
  '>',
  '}',
  '/',
  '?',
  '*',
  '\\"',
  '&',
  ';',
  '!',
  '\\n',
  '...',
  '%',
  '$',
  '~',
]

const punctuated: Record<string, Carrier> = Object.fromEntries([
  ...before.map((mark): [string, Carrier] => [`after ${mark}`, (value) => `see ${mark}${value} here`]),
  ...after.map((mark): [string, Carrier] => [`before ${mark}`, (value) => `see ${value}${mark} here`]),
  ...after.map((mark): [string, Carrier] => [
    `before ${mark} and text`,
    (value) => `see ${value}${mark}here`,
  ]),
])

const templated: Record<string, Carrier> = Object.fromEntries(
  Object.entries(carrierTemplates).map(([name, template]): [string, Carrier] => [
    name,
    (value, random) => fill(template, random).replace('§', () => value),
  ]),
)

export const carriers: Readonly<Record<string, Carrier>> = { ...handwritten, ...templated, ...punctuated }
