/**
 * What the estimator knows of the o200k vocabulary: which characters stay together, and what other scripts cost. Found by
 * measuring texts of all kinds; `benchmarks/token-estimator.ts` shows what a change does.
 */

/** Costs are whole hundredths of a token, so that sums are exact. */
export const TOKEN = 100

/**
 * For each letter and mark what mostly stays in one token with it. Everywhere else a piece tends to break, which is
 * what tells `container` from `xqzvkbtr`, and text from random characters.
 */
const joins: Readonly<Record<string, string>> = {
  a: 'abcdfghijklmnprstuvxyz',
  b: 'aeloruy',
  c: 'acehiklort',
  d: 'adeios',
  e: 'cdefgklmnqrstwxy',
  f: 'aefilortu',
  g: 'ehlnors',
  h: 'aeiort',
  i: 'abcdefgjklmnoprstvxz',
  j: 'es',
  k: 'eo',
  l: 'adeilostuy',
  m: 'abelmopsy',
  n: 'acdegiostuy',
  o: 'bcdfgiklmnoprstuvwx',
  p: 'aehloprstuy',
  q: 'lqu',
  r: 'acdegimnorstvy',
  s: 'cehikopstu',
  t: 'aehioprsty',
  u: 'abcdefgiklmnprstxz',
  v: 'aeo',
  w: 'ehinorw',
  x: 'at',
  y: 'nps',
  z: 'e',
  '!': `$'(-./<="`,
  '"': `#$%)+,-./:;>@\\]}`,
  '#': `!$[_"`,
  $: '/\\_{',
  '%': '),;@"',
  '&': '#=_',
  "'": '#$%)*+,-./:;<?@]{}',
  '(': '!#$%&\')*+-./:;<@[\\^_`{|"',
  ')': '%&(+,-./:;=\\]_{',
  '*': '(),-./>_',
  '+': '#,.;=\\',
  ',': `$%'()-<{"`,
  '-': '$%*.>\\_"',
  '.': `#$%')*,-/<=@\\_`,
  '/': `#$%'*+-.>?@_{~`,
  ':': `#$%'+-/=[_{~"`,
  ';': `&'<\\}"`,
  '<': '!$(/=>?[_',
  '=': `#$%&'(/<>@[\\_{~"`,
  '>': `%&'(,:<=@\\{"`,
  '?': '!),.:;>\\',
  '[': `$%'(-.:@]_{"`,
  '\\': '/"',
  ']': '()+,./:;<[\\^{"',
  _: '#$(),-./:;<',
  '`': `$',.;{`,
  '{': `$'-@\\}"`,
  '|': '(=\\"',
  '}': '$),-./;<@[\\`{"',
}

/** 1 where a token tends to end between the two, by their codes, seven bits each. */
export const breaks = new Uint8Array(128 * 128).fill(1)
for (const [first, followers] of Object.entries(joins)) {
  for (const second of followers) breaks[(first.charCodeAt(0) << 7) | second.charCodeAt(0)] = 0
}

/** What one unit of another script costs, in blocks of 64 code units. */
export const blockCosts = new Uint16Array(1024).fill(3 * TOKEN)
const setBlocks = (from: number, to: number, cost: number): void => {
  blockCosts.fill(cost, from >> 6, (to >> 6) + 1)
}
setBlocks(0x0080, 0x00bf, 130) // signs of Latin-1
setBlocks(0x00c0, 0x02ff, 80) // Latin with diacritics
setBlocks(0x0300, 0x037f, 200) // combining marks
setBlocks(0x0380, 0x03ff, 38) // Greek
setBlocks(0x0400, 0x052f, 30) // Cyrillic
setBlocks(0x0530, 0x05ff, 34) // Armenian, Hebrew
setBlocks(0x0600, 0x067f, 42) // Arabic
setBlocks(0x0680, 0x08ff, 85) // letters that other languages add to it
setBlocks(0x0900, 0x0dff, 42) // scripts of India
setBlocks(0x0e00, 0x10ff, 36) // Thai, Lao, Burmese, Georgian
setBlocks(0x1200, 0x1dff, 100) // Ethiopic, Khmer and others
setBlocks(0x1e00, 0x1eff, 60) // Latin of Vietnamese
setBlocks(0x2000, 0x203f, 120) // typographic marks
setBlocks(0x2040, 0x21ff, 160) // signs, arrows
setBlocks(0x2200, 0x24ff, 200) // mathematics
setBlocks(0x2500, 0x25ff, 150) // boxes
setBlocks(0x2600, 0x27ff, 200) // symbols
setBlocks(0x3000, 0x303f, 100) // marks of Chinese and Japanese
setBlocks(0x3040, 0x30ff, 66) // kana
setBlocks(0x4e00, 0x9fff, 100) // Han
setBlocks(0xac00, 0xd7ff, 56) // Hangul
setBlocks(0xd800, 0xdfff, TOKEN) // surrogates without a partner
setBlocks(0xfe00, 0xfe3f, 100) // variation selectors
setBlocks(0xff00, 0xffff, 120) // full width
