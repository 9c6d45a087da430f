/** Parses the `.d.ts` files that tsc writes: their top-level statements, and the names those use. */

export interface Declaration {
  readonly name: string
  /** The statement without `export` and `declare`, with its comment. */
  readonly text: string
  readonly comment: string
}

export interface ImportedName {
  readonly from: string
  /** `*` for a namespace. */
  readonly name: string
}

export interface DeclarationFile {
  /** By name; overloads of a function are one declaration. */
  readonly declarations: ReadonlyMap<string, Declaration>
  /** By local name. */
  readonly imports: ReadonlyMap<string, ImportedName>
  /** By exported name: the local name, or a name from another file. */
  readonly exports: ReadonlyMap<string, ImportedName | string>
}

const statementStart = /^(?:import|export|declare|interface|type|abstract|class|\/\*\*)/

/** Throws for kinds of statements that our sources do not produce, so that nothing is left out silently. */
export function parseDeclarations(text: string, file: string): DeclarationFile {
  const declarations = new Map<string, Declaration>()
  const imports = new Map<string, ImportedName>()
  const exports = new Map<string, ImportedName | string>()
  let comment = ''
  const inlineImport = /import\('\.[^)]*\)/.exec(text)
  if (inlineImport !== null) throw new Error(`${file}: cannot read ${inlineImport[0]}`)
  for (const statement of statementsOf(text)) {
    if (statement.startsWith('/**')) {
      comment = statement
      continue
    }
    if (/^import\b/.test(statement))
      for (const [local, name] of importedNames(statement, file)) imports.set(local, name)
    else if (/^export (?:type )?\{/.test(statement)) {
      for (const [name, target] of exportedNames(statement)) exports.set(name, target)
    } else {
      const [, isExported, body = '', name] =
        /^(export )?(?:declare )?((?:abstract )?(?:const|function|class|interface|type) (\w+)[^]*)$/.exec(
          statement,
        ) ?? []
      if (name === undefined) throw new Error(`${file}: cannot read ${statement.slice(0, 60)}`)
      const earlier = declarations.get(name)
      const fullText = earlier === undefined ? `${comment}${body}` : `${earlier.text}\n${comment}${body}`
      declarations.set(name, { name, text: fullText, comment: earlier?.comment ?? comment })
      if (isExported !== undefined) exports.set(name, name)
    }
    comment = ''
  }
  return { declarations, imports, exports }
}

/** Statements start in the first column; their other lines are indented or close a block. */
function statementsOf(text: string): string[] {
  const statements: string[] = []
  let isInComment = false
  for (const line of text.split('\n')) {
    if (line === '') continue
    if (!isInComment && statementStart.test(line)) statements.push(`${line}\n`)
    else statements[statements.length - 1] += `${line}\n`
    if (line.startsWith('/**') || isInComment) isInComment = !line.includes('*/')
  }
  return statements
}

function importedNames(statement: string, file: string): [local: string, name: ImportedName][] {
  const [, namespace, from = ''] = /^import (?:type )?\* as (\w+) from '([^']+)'/.exec(statement) ?? []
  if (namespace !== undefined) return [[namespace, { from, name: '*' }]]
  const [, list, source = ''] = /^import (?:type )?\{([^}]*)\} from '([^']+)'/.exec(statement) ?? []
  if (list === undefined) throw new Error(`${file}: cannot read ${statement.trim()}`)
  return listedNames(list).map(([name, local]) => [local, { from: source, name }])
}

function exportedNames(statement: string): [exported: string, target: ImportedName | string][] {
  const [, list = '', from] = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/.exec(statement) ?? []
  return listedNames(list).map(([name, exported]) => [exported, from === undefined ? name : { from, name }])
}

/** `a, type b as c`: each name with its alias. */
function listedNames(list: string): [name: string, as: string][] {
  return list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', as = name] = part.split(' as ')
      return [name, as]
    })
}

/** Comments, strings, and names that may refer to a declaration. */
const tokens =
  /\/\*[^]*?\*\/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$]|\??:|\()/g

/** Names that a declaration may refer to. May include too many, but never too few. */
export function namesUsedIn(text: string): Set<string> {
  return new Set(
    Array.from(text.matchAll(tokens), ([token]) => token).filter((token) => /^[\w$]/.test(token)),
  )
}

export function renameIn(text: string, renamed: ReadonlyMap<string, string>): string {
  return text.replace(tokens, (token) => renamed.get(token) ?? token)
}

export function withoutComments(text: string): string {
  return text.replace(/^[ \t]*\/\*\*[^]*?\*\/[ \t]*\n/gm, '')
}
