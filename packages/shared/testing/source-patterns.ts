/** Collects every regular expression in the sources, with its flags if they are constant. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { parseSync, Visitor } from 'vite'

export interface SourcePattern {
  /** Path below the root and `/pattern/flags`, or the expression that builds a dynamic pattern. */
  readonly name: string
  /** Undefined if the pattern is only known at run time. */
  readonly pattern: { readonly source: string; readonly flags: string } | undefined
}

export function patternsBelow(root: string, folders: readonly string[]): SourcePattern[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|samples)\.ts$/.test(path))
    .toSorted()
    .flatMap((path) => patternsIn(path, readFileSync(join(root, path), 'utf8')))
}

type Expression = Readonly<Record<string, unknown>> & { readonly type: string }

export function patternsIn(path: string, text: string): SourcePattern[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const found: SourcePattern[] = []
  const constants = new Map<string, Expression>()

  const add = (name: string, source: string | undefined, flags: string | undefined): void => {
    const pattern = source === undefined || flags === undefined ? undefined : { source, flags }
    found.push({ name: `${path} ${pattern === undefined ? name : `/${source}/${flags}`}`, pattern })
  }

  const addConstructed = ({ callee, arguments: given, start, end }: Expression): void => {
    const { type, name } = callee as Expression
    if (type !== 'Identifier' || name !== 'RegExp') return
    const [source, flags] = given as Expression[]
    add(
      text.slice(start as number, end as number),
      source && textOf(source, constants),
      flags === undefined ? '' : textOf(flags, constants),
    )
  }

  // Constants first, because functions may use those defined further down.
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, init as unknown as Expression)
    },
  }).visit(program)
  new Visitor({
    Literal(node) {
      if ('regex' in node) add('', node.regex.pattern, node.regex.flags)
    },
    NewExpression: (node) => addConstructed(node as unknown as Expression),
    CallExpression: (node) => addConstructed(node as unknown as Expression),
  }).visit(program)
  return found
}

/** The text of an expression built only from constants of the same file. */
function textOf(node: Expression, constants: ReadonlyMap<string, Expression>): string | undefined {
  const joined = (parts: readonly (string | undefined)[]): string | undefined =>
    parts.includes(undefined) ? undefined : parts.join('')
  const filled = (template: Expression, kind: 'raw' | 'cooked'): string | undefined => {
    const inner = (template.expressions as Expression[]).map((one) => textOf(one, constants))
    const quasis = (template.quasis as { value: Record<'raw' | 'cooked', string> }[]).map(
      ({ value }) => value[kind],
    )
    return joined(quasis.flatMap((quasi, i) => (i < inner.length ? [quasi, inner[i]] : [quasi])))
  }
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined
    case 'Identifier': {
      const init = constants.get(node.name as string)
      return init && textOf(init, constants)
    }
    case 'BinaryExpression':
      return joined([node.left, node.right].map((side) => textOf(side as Expression, constants)))
    case 'TemplateLiteral':
      return filled(node, 'cooked')
    case 'TaggedTemplateExpression':
      return filled(node.quasi as Expression, 'raw')
    default:
      return undefined
  }
}
