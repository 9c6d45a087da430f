/**
 * Merges the declarations that one entry point needs into one `.d.ts`, so that it refers only to files in its package.
 */

import {
  namesUsedIn,
  parseDeclarations,
  renameIn,
  type Declaration,
  type DeclarationFile,
  type ImportedName,
} from './declarations.ts'

export interface FlattenOptions {
  /** The text of a `.d.ts` file. */
  readonly read: (file: string) => string
  /** The file that an import resolves to; undefined for another package. */
  readonly resolve: (specifier: string, importer: string) => string | undefined
}

export interface FlatTypes {
  /** What the entry point exports, in its order. */
  readonly exported: readonly Declaration[]
  /** Declarations that the exported ones refer to. */
  readonly internal: readonly Declaration[]
  /** Import statements of other packages. */
  readonly imports: readonly string[]
}

interface ResolvedDeclaration {
  readonly file: string
  readonly name: string
  readonly declaration: Declaration
}

export function flattenTypes(entry: string, { read, resolve }: FlattenOptions): FlatTypes {
  const files = new Map<string, DeclarationFile>()
  const parseOnce = (file: string): DeclarationFile => {
    const known = files.get(file) ?? parseDeclarations(read(file), file)
    files.set(file, known)
    return known
  }
  /** Resolves a name in a file to its declaration, or to the package it comes from. */
  const find = (file: string, name: string): ResolvedDeclaration | ImportedName | undefined => {
    const { declarations, imports } = parseOnce(file)
    const declaration = declarations.get(name)
    if (declaration !== undefined) return { file, name, declaration }
    const imported = imports.get(name)
    return imported && follow(file, imported)
  }
  const follow = (importer: string, { from, name }: ImportedName): ResolvedDeclaration | ImportedName => {
    const file = resolve(from, importer)
    if (file === undefined) return { from, name }
    const target = parseOnce(file).exports.get(name)
    const found = typeof target === 'string' ? find(file, target) : target && follow(file, target)
    if (found === undefined) throw new Error(`${importer}: ${from} does not export ${name}`)
    return found
  }

  const naming = createNaming()
  const exported: ResolvedDeclaration[] = []
  for (const [name, target] of parseOnce(entry).exports) {
    const found = typeof target === 'string' ? find(entry, target) : follow(entry, target)
    if (found === undefined || !('declaration' in found)) throw new Error(`${entry}: cannot find ${name}`)
    naming.claim(found, name)
    exported.push(found)
  }
  const isExported = new Set(exported.map(keyOf))
  const reached = new Map(exported.map((found) => [keyOf(found), found]))
  const flat = new Map<string, Declaration>()
  for (const [key, { file, declaration }] of reached) {
    const renamed = new Map<string, string>()
    for (const used of namesUsedIn(declaration.text)) {
      const found = find(file, used)
      if (found === undefined) continue
      if ('declaration' in found) reached.set(keyOf(found), found)
      renamed.set(used, naming.claim(found, used))
    }
    flat.set(
      key,
      rename(declaration, naming.claim({ file, name: declaration.name }, declaration.name), renamed),
    )
  }
  const ordered = [...flat].map(([key, declaration]) => ({ declaration, isExported: isExported.has(key) }))
  return {
    exported: ordered.filter((one) => one.isExported).map(({ declaration }) => declaration),
    internal: ordered
      .filter((one) => !one.isExported)
      .map(({ declaration }) => declaration)
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    imports: naming.imports(),
  }
}

function keyOf({ file, name }: Pick<ResolvedDeclaration, 'file' | 'name'>): string {
  return `${file} ${name}`
}

function rename(
  { name, text, comment }: Declaration,
  to: string,
  renamed: ReadonlyMap<string, string>,
): Declaration {
  const head = new RegExp(`\\b(const|function|class|interface|type) ${name}\\b`, 'g')
  return { name: to, text: renameIn(text, renamed).replace(head, `$1 ${to}`), comment }
}

interface Naming {
  /** Returns the name of a declaration in the merged file: the wanted one, unless it already has another. */
  claim(target: Pick<ResolvedDeclaration, 'file' | 'name'> | ImportedName, wanted: string): string
  imports(): string[]
}

/** Throws if two declarations want the same name. */
function createNaming(): Naming {
  const names = new Map<string, string>()
  const owners = new Map<string, string>()
  const foreign = new Map<string, ImportedName>()
  return {
    claim(target, wanted) {
      const key = 'file' in target ? keyOf(target) : `${target.from} ${target.name}`
      const known = names.get(key)
      if (known !== undefined) return known
      const owner = owners.get(wanted)
      if (owner !== undefined) throw new Error(`${wanted} is both ${owner} and ${key}`)
      names.set(key, wanted)
      owners.set(wanted, key)
      if (!('file' in target)) foreign.set(wanted, target)
      return wanted
    },
    imports() {
      return Array.from(foreign, ([local, { from, name }]) => {
        if (name === '*') return `import type * as ${local} from '${from}';`
        return `import type { ${name === local ? name : `${name} as ${local}`} } from '${from}';`
      }).sort()
    },
  }
}

/** The file that a package contains. */
export function declarationText({ exported, internal, imports }: FlatTypes): string {
  const usesNode =
    imports.some((line) => line.includes("'node:")) ||
    [...exported, ...internal].some(({ text }) => /\b(?:NodeJS|Buffer)\b/.test(text))
  return [
    ...(usesNode ? ['/// <reference types="node" />\n'] : []),
    ...(imports.length > 0 ? [`${imports.join('\n')}\n`] : []),
    ...exported.map((declaration) => exporting(declaration)),
    ...internal.map(({ text, comment }) => comment + ambient(text.slice(comment.length))),
    'export {};\n',
  ].join('\n')
}

function exporting({ text, comment }: Declaration): string {
  return (
    comment +
    text
      .slice(comment.length)
      .replace(/^(?=(?:abstract )?(?:const|function|class|interface|type) )/gm, 'export ')
      .replace(/^export (?=(?:abstract )?(?:const|function|class) )/gm, 'export declare ')
  )
}

function ambient(text: string): string {
  return text.replace(/^(?=(?:abstract )?(?:const|function|class) )/gm, 'declare ')
}
