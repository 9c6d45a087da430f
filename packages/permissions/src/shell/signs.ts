/** What single signs of the shell mean. Pure. */

export type Redirection = 'read' | 'write' | 'copy' | 'text'

export function redirectionOf(operator: string): Redirection {
  if (operator === '<<<') return 'text'
  if (operator.endsWith('&')) return 'copy'
  return operator.startsWith('<') ? 'read' : 'write'
}

/** The parenthesis that ends what began before `from`. */
export function closing(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')' && (depth -= 1) === 0) return at
  }
  return text.length
}
