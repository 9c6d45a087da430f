import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Differences of a package from the smallest valid one. */
export interface PackageParts {
  readonly name?: string
  /** Follows `#!/bin/bash`. */
  readonly script?: string
  readonly required?: readonly string[]
  readonly optional?: readonly string[]
  /** Lines below `[limits]`. */
  readonly limits?: string
  readonly schema?: object
  readonly description?: string
  /** Additional files, or replacements for the files above. */
  readonly files?: Readonly<Record<string, string>>
}

/** The files of a package. */
export function packageFiles({
  name = 'probe',
  script = 'cat',
  required = [],
  optional = [],
  limits = '',
  schema = { type: 'object' },
  description = 'Does something.',
  files = {},
}: PackageParts): Record<string, string> {
  const capabilities = `required = ${JSON.stringify(required)}\noptional = ${JSON.stringify(optional)}`
  return {
    'TOOL.md': `${description}\n`,
    'schema.json': JSON.stringify(schema),
    'capabilities.toml': `[component]\nname = "${name}"\n[capabilities]\n${capabilities}\n[limits]\n${limits}\n`,
    'run.sh': `#!/bin/bash\n${script}\n`,
    ...files,
  }
}

/** Writes the files below the folder; those named `run…` are executable. */
export function writePackage(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    if (/(?:^|\/)run/.test(path)) chmodSync(target, 0o755)
  }
}

export interface ToolProject {
  readonly home: string
  readonly project: string
  /** Writes `.contextd/tools/<name>/` and returns its path. */
  add(parts: PackageParts): string
  remove(): void
}

/** A temporary home and project. */
export function toolProject(): ToolProject {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-tools-')))
  const project = join(home, 'project')
  mkdirSync(project)
  return {
    home,
    project,
    add(parts) {
      const folder = join(project, '.contextd', 'tools', parts.name ?? 'probe')
      writePackage(folder, packageFiles(parts))
      return folder
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
