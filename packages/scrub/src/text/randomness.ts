/** Tells random text, such as generated credentials, from text written by a person. */

/** Pairs of letters that make up nearly all of English text and of the identifiers programmers write. */
const commonPairs = new Uint8Array(26 * 26)
for (const pair of (
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ' +
  'ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so ' +
  'rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ' +
  'ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt ' +
  'oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ' +
  'ew mu br bi pt ak pu ui rg ib tl ny ki rk ys ob mm fu ph og ms ye ud mb ip ub oi rl gu dr hr cc tw ft wn nu af hu ' +
  'nn eo vo rv nf xp gn sm fl iz ok nl my gl aw ju oa eq sy sl ps jo lf nv je nk kn gs dy hy ze ks xt bs ik dd pt sk ' +
  'xe pk ox xi yp ym np wr cs ix oy yn zi rf kg db js jw tf tx ui rx dp fs vm gt lx mk cm ln cp rp lp sq ws hq'
).split(' ')) {
  commonPairs[(pair.charCodeAt(0) - 97) * 26 + pair.charCodeAt(1) - 97] = 1
}

const counts = new Uint32Array(256)

/** Bits per character. Characters with the same low byte are counted as one. */
export function shannonEntropy(text: string): number {
  counts.fill(0)
  for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i) & 255]!++
  let bits = 0
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/**
 * True for keys, tokens and generated passwords; false for words, identifiers, paths, numbers, dates and repetitions.
 * Intended for values of at least eight characters.
 */
export function looksRandom(text: string): boolean {
  const { length } = text
  if (shannonEntropy(text) < Math.min(2.9, Math.log2(length) * 0.7)) return false
  const { digits, letters, pairs, common, changes, flips } = measure(text)
  if (letters < 3) return false
  // Hexadecimal and similar: letters and digits alternate more often than in words and versions.
  if (digits > 0 && changes >= Math.max(3, length / 9)) return true
  if (digits === 0 && letters < 16) return false
  // Words have at most an initial capital; random letters change case at every second position.
  return pairs >= 5 && common / pairs < (flips / pairs > 0.38 ? 0.72 : 0.6)
}

/**
 * True for words, identifiers and repetitions. Needs stronger evidence than `!looksRandom`: for values whose name and
 * form already indicate a secret.
 */
export function looksWritten(text: string): boolean {
  const entropy = shannonEntropy(text)
  const { digits, letters, pairs, common, changes } = measure(text)
  if (letters === 0) return digits < 10 || entropy < 1.8
  if (entropy < Math.min(2.6, Math.log2(text.length) * 0.65)) return true
  return changes < 3 && pairs > 0 && common / pairs > 0.72
}

interface Measure {
  readonly digits: number
  readonly letters: number
  /** Pairs of adjacent letters, and how many of them are common. */
  readonly pairs: number
  readonly common: number
  /** How often a digit follows a letter or a letter a digit. */
  readonly changes: number
  /** How often adjacent letters differ in case. */
  readonly flips: number
}

function measure(text: string): Measure {
  let digits = 0
  let letters = 0
  let pairs = 0
  let common = 0
  let changes = 0
  let flips = 0
  /** Previous character: 1 for a digit, the lower-case code for a letter, otherwise 0. */
  let before = 0
  let codeBefore = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const lower = code | 32
    let kind = 0
    if (code >= 48 && code <= 57) {
      kind = 1
      digits++
    } else if (lower >= 97 && lower <= 122 && code < 128) {
      kind = lower
      letters++
    }
    if (kind > 1 && before > 1) {
      pairs++
      common += commonPairs[(before - 97) * 26 + kind - 97]!
      if (((code ^ codeBefore) & 32) !== 0) flips++
    } else if (kind !== 0 && before !== 0 && (kind === 1) !== (before === 1)) {
      changes++
    }
    before = kind
    codeBefore = code
  }
  return { digits, letters, pairs, common, changes, flips }
}
