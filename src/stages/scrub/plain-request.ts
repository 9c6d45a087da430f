/** Command lines that can be understood: one program whose words say where it goes, and nothing a shell would add. */

interface Program {
  /** Options that send elsewhere than the address says. */
  readonly elsewhere: RegExp
  /** Options whose value is the next word, and those among them that may get a secret. */
  readonly takesWord?: RegExp
  readonly takesSecret?: RegExp
  /** A word of its own may be something else than an address. */
  readonly hasOtherWords?: true
}

const programs: Readonly<Record<string, Program>> = {
  curl: {
    elsewhere: /^(?:-[A-Za-z]*[Kx]|--(?:abs|conf|connect-to|dns|doh|interf|pre|pro|res|socks|unix))/,
    takesWord:
      /^(?:-[sSfkLivgGNqJ]*[AemoTwX]|--(?:connect-timeout|max-time|output|referer|request|retry|user-agent|write-out))$/,
    takesSecret:
      /^(?:-[sSfkLivgGNqJ]*[HudFb]|--(?:cookie|data(?:-ascii|-binary|-raw|-urlencode)?|form(?:-string)?|header|json|oauth2-bearer|url-query|user))$/,
  },
  wget: {
    elsewhere: /^(?:-[A-Za-z]*[ei]|--(?:conf|exec|input|pro|use-))/,
    takesWord: /^-[qnv]*[OtTUw]$/,
    takesSecret: /^--(?:body-data|header|http-password|password|post-data|user)$/,
  },
  git: {
    elsewhere: /^(?:-[cC]|--(?:conf|exec|git-dir|rec|upl|work-tree))/,
    hasOtherWords: true,
  },
}

/**
 * Whether a command line sends what stands for a token only where its own addresses say. That they are the right ones is
 * seen elsewhere: here it is about words that nobody would take for an address, and that are one.
 */
export function isPlainRequest(
  command: string,
  holdsToken: (word: string) => boolean,
  isAddress: (word: string) => boolean,
): boolean {
  const [program = '', ...words] = wordsOf(command) ?? []
  const known = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (known === undefined) return false
  return words.every((word, index) => {
    const [, option = word] = /^(--[\w-]+)=/.exec(word) ?? []
    if (word.startsWith('-')) {
      return !known.elsewhere.test(word) && (!holdsToken(word) || known.takesSecret?.test(option) === true)
    }
    const before = words[index - 1] ?? ''
    if (known.takesSecret?.test(before) === true || isAddress(word)) return true
    return !holdsToken(word) && (known.hasOtherWords === true || known.takesWord?.test(before) === true)
  })
}

/** As a shell splits them; undefined where it would do more than that. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const part of command
    .trim()
    .matchAll(/([ \t]+)|'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;|&<>(){}*[\]#]+)|[^]/g)) {
    const [, space, single, double, plain] = part
    const text = single ?? double ?? plain
    if (text !== undefined) word = (word ?? '') + text
    else if (space === undefined) return undefined
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}
