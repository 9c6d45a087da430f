/** Parses source code if the optional parser package is installed. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import type { SyntaxNode } from './syntax-chunks.ts'

export interface Grammars {
  /** Different versions may produce different chunks. */
  readonly version: string
  /** Undefined for languages without a grammar, and for text it cannot parse. */
  parse<T>(language: string, text: string, use: (root: SyntaxNode) => T): Promise<T | undefined>
}

/** The part of the package that we use. */
interface TreeSitter {
  readonly Parser: {
    new (): {
      setLanguage(language: object): void
      parse(text: string, old: null, options: { progressCallback: () => boolean }): SyntaxTree | null
      reset(): void
    }
    init(): Promise<void>
  }
  readonly Language: { load(bytes: Uint8Array): Promise<object> }
}

interface SyntaxTree {
  readonly rootNode: SyntaxNode
  delete(): void
}

const grammarPackage = '@vscode/tree-sitter-wasm'

const grammars = new Set(
  'bash c-sharp cpp css go java javascript php powershell python ruby rust tsx typescript'.split(' '),
)

/** Parsing takes milliseconds. A file that takes longer may be crafted to do so. */
const maxParseMs = 2000

/** Undefined if the package is not installed: code is then split by lines. */
export function findGrammars(
  load: Pick<NodeJS.Require, 'resolve'> & ((name: string) => unknown) = createRequire(import.meta.url),
): Grammars | undefined {
  let folder: string
  let version: string
  try {
    folder = dirname(load.resolve(grammarPackage))
    version = String((load(`${grammarPackage}/package.json`) as { version: unknown }).version)
  } catch {
    return undefined
  }
  let starting: ReturnType<typeof start> | undefined
  const start = async () => {
    const { Parser, Language } = load(grammarPackage) as TreeSitter
    await Parser.init()
    return { Language, parser: new Parser() }
  }
  const languages = new Map<string, Promise<object>>()

  return {
    version,
    async parse(language, text, use) {
      if (!grammars.has(language)) return undefined
      const { Language, parser } = await (starting ??= start())
      let grammar = languages.get(language)
      if (grammar === undefined) {
        grammar = Language.load(readFileSync(join(folder, `tree-sitter-${language}.wasm`)))
        languages.set(language, grammar)
      }
      parser.setLanguage(await grammar)
      const deadline = Date.now() + maxParseMs
      let tree: SyntaxTree | null
      try {
        tree = parser.parse(text, null, { progressCallback: () => Date.now() > deadline })
      } catch {
        return undefined
      }
      if (tree === null) {
        // Otherwise it would resume the previous text.
        parser.reset()
        return undefined
      }
      try {
        return use(tree.rootNode)
      } finally {
        tree.delete()
      }
    },
  }
}
