import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { exampleOf } from './examples.ts'
import { declarationText, type FlatTypes } from './flatten-types.ts'
import { root, type TypedEntryPoint } from './manifest.mjs'

/** Compiles every example against the published declarations. Returns missing examples and compile errors. */
export function compileExamples(types: ReadonlyMap<TypedEntryPoint, FlatTypes>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-examples-'))
  const fileOf = (specifier: string): string => specifier.replace(/^@/, '').replaceAll('/', '-')
  const problems: string[] = []
  const paths: Record<string, string[]> = {}
  try {
    for (const [{ specifier }, flat] of types) {
      const declarations = `./${fileOf(specifier)}.d.ts`
      writeFileSync(join(folder, declarations), declarationText(flat))
      paths[specifier] = [declarations]
      for (const [index, declaration] of flat.exported.entries()) {
        const { name, code } = exampleOf(specifier, declaration)
        if (code === undefined)
          problems.push(`${specifier}: ${name} needs an @example that imports it from '${specifier}'`)
        else writeFileSync(join(folder, `${fileOf(specifier)}.${index}.${name}.ts`), code)
      }
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configWith(paths)))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' })
    return [...problems, ...stdout.split('\n').filter((line) => line !== '')]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function configWith(paths: Record<string, string[]>): object {
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      paths,
      noUnusedLocals: false,
      skipLibCheck: false,
      typeRoots: [join(root, 'node_modules/@types')],
      customConditions: [],
    },
    include: ['.'],
  }
}
