import { describe, expect, test } from 'vitest'

import { parseShell } from './parse-shell.ts'
import type { WordPart, Script } from './syntax.ts'

/** Commands, each as its words and redirections are written; those inside others first. */
function commandsOf(script: Script): string[] {
  const found: string[] = []
  let command: string[] = []
  const end = (): void => {
    if (command.length > 0) found.push(command.join(' '))
    command = []
  }
  for (const token of script.tokens) {
    if ('parts' in token) found.push(...token.parts.flatMap(insideOf))
    if (token.type === 'word' || token.type === 'redirection' || token.type === 'here-document')
      command.push(script.text.slice(token.start, token.end))
    else if (token.type === 'calculation') command.push(`calculate ${token.content}`)
    else if (/^(?:separator|opening|closing)$/.test(token.type)) end()
  }
  end()
  return found
}

function insideOf(part: WordPart): string[] {
  if (part.type === 'substitution') return commandsOf(part.script)
  return 'parts' in part ? part.parts.flatMap(insideOf) : []
}

const commands = (text: string): string[] => commandsOf(parseShell(text))

/** Each was compared with what bash 5.2 runs. */
describe('commands', () => {
  test.each<[string, string[]]>([
    ['a; b && c || d | e |& f & g\nh', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
    ['a 2>&1 >b &>c >|d <<<e f', ['a 2>& 1 > b &> c >| d <<< e f']],
    ['a 2&>b', ['a 2 &> b']],
    ['a # b; c\nd#e', ['a', 'd#e']],
    ['a\\\n#b \\\n c', ['a\\\n#b c']],
    [`a 'b; c' "d; e" f\\;g $'h\\';i'`, [`a 'b; c' "d; e" f\\;g $'h\\';i'`]],
    ['a {b,;c}', ['a {b,', 'c}']],
    ['a [;b;]', ['a [', 'b', ']']],
    ['a $(b ")" c) d', ['b ")" c', 'a $(b ")" c) d']],
    [
      'a $(case x in (x) b;; y) c;; esac) d',
      ['case x in', 'x', 'b', 'y', 'c', 'esac', 'a $(case x in (x) b;; y) c;; esac) d'],
    ],
    ['a $(# )\nb) c', ['b', 'a $(# )\nb) c']],
    ['a `b \\`c\\`` d', ['c', 'b `c`', 'a `b \\`c\\`` d']],
    ['a $\\\n(b)', ['b', 'a $\\\n(b)']],
    [`a "\${x:-'}'}" b`, [`a "\${x:-'}'}" b`]],
    ['a "${x:-"b c"}" $(d)', ['d', 'a "${x:-"b c"}" $(d)']],
    ['a ${x:-b #c} $(d)', ['d', 'a ${x:-b #c} $(d)']],
    ['a <(b) >(c)', ['b', 'c', 'a <(b) >(c)']],
  ])('%j', (text, expected) => expect(commands(text)).toEqual(expected))
})

describe('arithmetic', () => {
  test.each<[string, string[]]>([
    ['((1<<E))\na\nE', ['calculate 1<<E', 'a', 'E']],
    ['if ((1<<E)); then\na\nE', ['if calculate 1<<E', 'then', 'a', 'E']],
    ['for ((i=0;i<<E;)); do\na', ['for calculate i=0;i<<E;', 'do', 'a']],
    ['a $[1<<E]\nb\nE', ['a $[1<<E]', 'b', 'E']],
    ['a $((1<<E))\nb\nE', ['a $((1<<E))', 'b', 'E']],
    ['a[1 << E]=1\nb\nE', ['a[1 << E]=1', 'b', 'E']],
    ['((a $(b)))', ['b', 'calculate a $(b)']],
    ['((a); (b))', ['a', 'b']],
    ['a $((b); (c))', ['b', 'c', 'a $((b); (c))']],
  ])('%j', (text, expected) => expect(commands(text)).toEqual(expected))
})

describe('here-documents', () => {
  const body = (text: string): string[] =>
    parseShell(text).tokens.flatMap((token) =>
      token.type === 'document-body' ? [text.slice(token.start, token.contentEnd)] : [],
    )

  test.each<[string, string[], string[]]>([
    ['a <<E b\nx\nE\nc', ['x\n'], ['a <<E b', 'c']],
    ['a <<E\n E\nE \nE\nc', [' E\nE \n'], ['a <<E', 'c']],
    ['a <<-E\n\tx\n\tE\nc', ['\tx\n'], ['a <<-E', 'c']],
    ['a <<"E"\'F\'\n$(x)\nEF\nc', ['$(x)\n'], [`a <<"E"'F'`, 'c']],
    ['a <<E\n$(x)\nE\nc', ['$(x)\n'], ['a <<E', 'x', 'c'].toSorted()],
    ['a <<E\nx\\\nE\nE\nc', ['x\\\nE\n'], ['a <<E', 'c']],
    ['a <<EF\nE\\\nF\nc', [''], ['a <<EF', 'c']],
    ['a <\\\n<E\nx\nE\nc', ['x\n'], ['a <\\\n<E', 'c']],
    ['a <<$(x)\ny\n$(x)\nc', ['y\n'], ['a <<$(x)', 'c']],
    ['a <<E <<F\nx\nE\ny\nF\nc', ['x\n', 'y\n'], ['a <<E <<F', 'c']],
    ['a <<E\n$(\nE\nc', ['$(\n'], ['a <<E', 'c']],
    ['a <<E\nno end', ['no end'], ['a <<E']],
  ])('%j', (text, bodies, expected) => {
    expect(body(text)).toEqual(bodies)
    expect(commands(text).toSorted()).toEqual(expected.toSorted())
  })

  test('inside a substitution may end with its parenthesis', () => {
    expect(commands('x=$(a <<E\ny\nE) ; b')).toEqual(['a <<E', 'x=$(a <<E\ny\nE)', 'b'])
  })

  test('that a substitution announces late begin after its line', () => {
    const text = 'a $(b <<E) c\nx\nE\nd'
    expect(commands(text)).toEqual(['b <<E', 'a $(b <<E) c', 'd'])
    const late = parseShell(text).tokens.filter((token) => token.type === 'document-body')
    expect(late.map(({ document }) => document.isLate)).toEqual([true])
  })
})

test('every token and part is where it says, and none is missing', () => {
  const text = `a "b $c\${d:-e}" 'f' $(g <<H) *[i] {j,k} \`l\`\nm\nH\n((n)); o 2>p # q`
  const { tokens } = parseShell(text)
  expect(tokens.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
  for (const token of tokens)
    if (token.type === 'word')
      expect(token.parts.map(({ start, end }) => text.slice(start, end)).join('')).toBe(
        text.slice(token.start, token.end),
      )
})

test('however deeply a text is nested, it is parsed', () => {
  for (const piece of ['$(', '"$(', '${x:-', '((', '$((', '`', 'a[', '"${x:-'])
    expect(parseShell(piece.repeat(20_000)).tokens.length).toBeGreaterThan(0)
})
