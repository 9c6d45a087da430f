/** Generates the report on a package: the size of each entry point, and every public declaration. */

import type { Metafile } from 'esbuild'

import { withoutComments, type Declaration } from './declarations.ts'
import type { FlatTypes } from './flatten-types.ts'
import type { EntryPoint, PublishedPackage } from './manifest.mjs'

export function packageReport(
  { name, folder, entries, programs }: PublishedPackage,
  types: ReadonlyMap<EntryPoint, FlatTypes>,
  metafile: Metafile,
): string {
  const loaded = [...entries, ...(folder === '.' ? [] : programs)].map((entry) => sizeRow(entry, metafile))
  const sections = entries.map((entry) => apiSection(entry.specifier, types.get(entry)!))
  return `# ${name}

Written by \`npm run generate\`. \`npm run check\` fails if it is out of date, so that every change of the public API is seen in review. Numbers are rounded to two digits.

| entry point | modules | loaded at import | loaded on first use | other packages |
|---|---|---|---|---|
${loaded.join('\n')}

${sections.join('\n\n')}
`
}

function sizeRow(entry: EntryPoint, metafile: Metafile): string {
  const { atImport, later } = loadedBy(entry, metafile)
  const bytes = bytesOf(atImport, metafile)
  const more = bytesOf(later, metafile)
  const packages = [...atImport.packages, ...Array.from(later.packages, (name) => `${name} on first use`)]
  const cells = [
    `\`${entry.specifier}\``,
    rounded(atImport.modules.length),
    sizeText(bytes),
    more === 0 ? 'nothing' : sizeText(more),
    packages.join(', ') || 'none',
  ]
  return `| ${cells.join(' | ')} |`
}

export interface Loaded {
  /** Bundled files. */
  readonly files: ReadonlySet<string>
  /** Sources that are in these files. */
  readonly modules: readonly string[]
  readonly packages: ReadonlySet<string>
}

/** The files an entry point loads when it is imported, and later through `import()`. */
export function loadedBy(
  { source }: EntryPoint,
  metafile: Metafile,
): { readonly atImport: Loaded; readonly later: Loaded } {
  const [entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
  if (entry === undefined) throw new Error(`${source} was not bundled`)
  const atImport = closure([entry], metafile, false)
  const all = closure([entry], metafile, true)
  const without = <Item>(items: ReadonlySet<Item>, others: ReadonlySet<Item>): Set<Item> =>
    new Set([...items].filter((item) => !others.has(item)))
  return {
    atImport: loaded(atImport, metafile),
    later: loaded(
      { files: without(all.files, atImport.files), packages: without(all.packages, atImport.packages) },
      metafile,
    ),
  }
}

type Closure = Pick<Loaded, 'files' | 'packages'>

function loaded({ files, packages }: Closure, { outputs }: Metafile): Loaded {
  return { files, packages, modules: [...files].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})) }
}

/** `lazy` follows `import()` as well. */
function closure(from: readonly string[], { outputs }: Metafile, lazy: boolean): Closure {
  const files = new Set(from)
  const packages = new Set<string>()
  for (const file of files) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'dynamic-import' && !lazy) continue
      if (external !== true) files.add(path)
      else if (!path.startsWith('node:')) packages.add(path)
    }
  }
  return { files, packages }
}

function bytesOf({ files }: Loaded, { outputs }: Metafile): number {
  return [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0)
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(2)))
}

function sizeText(bytes: number): string {
  return bytes >= 999_500 ? `${rounded(bytes / 1e6)} MB` : `${rounded(bytes / 1000)} kB`
}

function apiSection(specifier: string, { exported, internal, imports }: FlatTypes): string {
  const publicCode = codeOf(exported, imports)
  const parts = [`## ${specifier}`, publicCode]
  if (internal.length > 0) parts.push('Types that these refer to:', codeOf(internal, []))
  return parts.join('\n\n')
}

function codeOf(declarations: readonly Declaration[], imports: readonly string[]): string {
  const texts = declarations
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => shortened(withoutComments(text)).trimEnd())
  return ['```ts', ...imports, texts.join('\n\n'), '```'].join('\n')
}

/** Omits nested objects of constants: their text is not part of the API. */
function shortened(text: string): string {
  return text.startsWith('const ')
    ? text.replace(/^( {4}readonly \w+: )\{\n(?: {8}.*\n)+ {4}\};/gm, '$1{ … };')
    : text
}
