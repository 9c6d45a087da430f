/** Normalizes words for search. */

/** Words that carry no meaning for a search. */
const stopWords = new Set(
  'a an and any are as at be by can do does for from has have how i if in into is it its me my not of on or our should so some that the their then there these this to use used using want was what when where which will with would you your tool tools please need via'.split(
    ' ',
  ),
)

/** The stems of the words in a name (`readTextFile`, `read_text.file`) or a sentence, in order. */
export function indexTerms(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !stopWords.has(word))
    .map(stem)
}

/** A light English stemmer: `creates`, `creating`, `created` and `creation` all become `creat`. */
export function stem(word: string): string {
  if (word.length < 4) return word
  let root = word
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`
  else if (/(?:ss|x|ch|sh|zz)es$/.test(root)) root = root.slice(0, -2)
  else if (/[^siu]s$/.test(root)) root = root.slice(0, -1)
  if (root.endsWith('ing') && root.length > 5) root = single(root.slice(0, -3))
  else if (root.endsWith('ed') && root.length > 4) root = single(root.slice(0, -2))
  else if (root.endsWith('ion') && root.length > 6) root = root.slice(0, -3)
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root
}

/** `stopp` from `stopped` is `stop`; `pass` from `passing` stays. */
function single(root: string): string {
  return /([^aeiouls])\1$/.test(root) ? root.slice(0, -1) : root
}

const synonymGroups = [
  'folder directory dir',
  'delete remove erase drop forget',
  'create make new add insert',
  'find search look locate lookup query',
  'get fetch retrieve read return show display view',
  'list enumerate show',
  'picture image screenshot photo',
  'page website site webpage tab',
  'run execute invoke launch start',
  'edit change modify update patch',
  'move rename',
  'copy duplicate clone',
  'send post submit',
  'close quit end stop',
  'open navigate visit goto go',
  'click press tap',
  'write save store',
  'type enter fill input',
  'issue ticket bug',
  'message mail email',
  'db database sql',
  'info information detail metadata',
  'link url address',
  'compress zip gzip',
  'text string',
  'multiple several many batch',
  'connect relation link join',
].map((group) => group.split(' ').map(stem))

const synonyms = new Map<string, Set<string>>()
for (const group of synonymGroups) {
  for (const word of group) {
    const others = synonyms.get(word) ?? new Set()
    for (const other of group) if (other !== word) others.add(other)
    synonyms.set(word, others)
  }
}

/** Stems with a similar meaning. */
export function synonymsOf(word: string): Iterable<string> {
  return synonyms.get(word) ?? []
}

/** Whether the words differ by one typo: a letter added, missing or replaced, or two adjacent letters swapped. */
export function isTypoOf(word: string, other: string): boolean {
  const [short, long] = word.length <= other.length ? [word, other] : [other, word]
  if (long.length - short.length > 1 || word === other) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  )
}
