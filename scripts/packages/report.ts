/** The report about a package: what each entry point loads, and every public declaration. */

import type { Metafile } from 'esbuild'

import { withoutComments, type Declaration } from './declarations.ts'
import type { FlatTypes } from './flatten-types.ts'
import type { EntryPoint, PublishedPackage } from './manifest.mjs'

export function packageReport(
  { name, folder, entries, programs }: PublishedPackage,
  types: ReadonlyMap<EntryPoint, FlatTypes>,
  metafile: Metafile,
): string {
  const loaded = [...entries, ...(folder === '' ? [] : programs)].map((entry) => sizeRow(entry, metafile))
  const sections = entries.map((entry) => apiSection(entry.specifier, types.get(entry)!))
  return `# ${name}

Written by \`npm run generate\`. \`npm run check\` fails if it is out of date, so that every change of the public API is seen in review. Numbers are rounded to two digits.

| entry point | modules | loaded at import | loaded on first use | other packages |
|---|---|---|---|---|
${loaded.join('\n')}

${sections.join('\n\n')}
`
}

function sizeRow({ specifier, source }: EntryPoint, metafile: Metafile): string {
  const [entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
  if (entry === undefined) throw new Error(`${source} was not bundled`)
  const atImport = closure([entry], metafile, false)
  const later = closure([...atImport.files], metafile, true)
  const bytes = bytesOf(atImport.files, metafile)
  const more = bytesOf(later.files, metafile) - bytes
  const packages = [
    ...atImport.packages,
    ...[...later.packages].filter((one) => !atImport.packages.has(one)).map((one) => `${one} on first use`),
  ]
  const cells = [
    `\`${specifier}\``,
    rounded(modulesOf(atImport.files, metafile).length),
    sizeText(bytes),
    more === 0 ? 'nothing' : sizeText(more),
    packages.join(', ') || 'none',
  ]
  return `| ${cells.join(' | ')} |`
}

interface Closure {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** Bundled files that load together with the given ones; `lazy` follows `import()` as well. */
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

function bytesOf(files: ReadonlySet<string>, { outputs }: Metafile): number {
  return [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0)
}

function modulesOf(files: ReadonlySet<string>, { outputs }: Metafile): string[] {
  return [...files].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}))
}

/** The sources that an entry point loads when it is imported, and the packages. */
export function loadedAtImport(
  { source }: EntryPoint,
  metafile: Metafile,
): { readonly modules: readonly string[]; readonly packages: readonly string[] } {
  const entry =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? ''
  const { files, packages } = closure([entry], metafile, false)
  return { modules: modulesOf(files, metafile), packages: [...packages] }
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(2)))
}

function sizeText(bytes: number): string {
  return bytes >= 999_500 ? `${rounded(bytes / 1e6)} MB` : `${rounded(bytes / 1000)} kB`
}

function apiSection(specifier: string, { exported, internal, imports }: FlatTypes): string {
  const public_ = codeOf(exported, imports)
  const parts = [`## ${specifier}`, public_]
  if (internal.length > 0) parts.push('Types that these refer to:', codeOf(internal, []))
  return parts.join('\n\n')
}

function codeOf(declarations: readonly Declaration[], imports: readonly string[]): string {
  const texts = declarations
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => shortened(withoutComments(text)).trimEnd())
  return ['```ts', ...imports, texts.join('\n\n'), '```'].join('\n')
}

/** Values of a constant that are objects themselves: their wording is not part of the API. */
function shortened(text: string): string {
  return text.startsWith('const ')
    ? text.replace(/^( {4}readonly \w+: )\{\n(?: {8}.*\n)+ {4}\};/gm, '$1{ … };')
    : text
}
