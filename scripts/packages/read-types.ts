import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { flattenTypes, type FlatTypes } from './flatten-types.ts'
import { root, type PublishedPackage, type TypedEntryPoint } from './manifest.mjs'

/** Generates the declarations of every entry point of these packages with tsc. */
export function readTypes(packages: readonly PublishedPackage[]): Map<TypedEntryPoint, FlatTypes> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-types-'))
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const args = [tsc, '-p', join(root, 'tsconfig.types.json'), '--outDir', folder]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`tsc failed:\n${stdout}`)
    const declarationsOf = (source: string): string => join(folder, source.replace(/\.ts$/, '.d.ts'))
    const read = (file: string): string => readFileSync(file, 'utf8')
    const resolve = (specifier: string, importer: string): string | undefined => {
      if (specifier.startsWith('.')) return declarationsOf(relativeTo(folder, importer, specifier))
      const source = sourceOf(specifier)
      return source && declarationsOf(source)
    }
    return new Map(
      packages
        .flatMap(({ entries }) => entries)
        .map((entry) => [entry, flattenTypes(declarationsOf(entry.source), { read, resolve })]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function relativeTo(folder: string, importer: string, specifier: string): string {
  return join(dirname(importer), specifier).slice(folder.length + 1)
}

/** The source that an import of our packages resolves to; undefined for other packages. */
function sourceOf(specifier: string): string | undefined {
  const [, name = '', subpath = ''] = /^@contextd\/(\w+)(.*)$/.exec(specifier) ?? []
  if (name === '') return undefined
  if (name === 'shared') return `packages/shared/src${subpath}.ts`
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
    exports: Record<string, { 'contextd-source': string }>
  }
  const source = exports[`.${subpath}`]?.['contextd-source']
  if (source === undefined) throw new Error(`${specifier} is not in the exports map`)
  return join('packages', name, source)
}
