import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { OpenCodePlaces } from '../src/opencode/places.ts'
import { readOpenCodeSetup } from '../src/opencode/read-setup.ts'
import type { OpenCodeSetup } from '../src/opencode/setup.ts'
import type { Json } from '@contextd/shared/json/value'

/** By path, such as `project/opencode.json` or `home/.config/opencode/agent/a.md`; values other than strings are written as JSON. */
export type OpenCodeFiles = Readonly<Record<string, Json>>

export function writeOpenCode(root: string, files: OpenCodeFiles): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(root, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}

/** A temporary folder with `project` and `home`, removed after the test. The project is a repository, so files above it do not apply. */
export function openCodeFolder(files: OpenCodeFiles = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-opencode-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['home', 'project/.git']) mkdirSync(join(root, folder), { recursive: true })
  writeOpenCode(root, files)
  return root
}

export function placesIn(root: string): OpenCodePlaces {
  return {
    project: join(root, 'project'),
    home: join(root, 'home'),
    config: join(root, 'home/.config/opencode'),
    own: [join(root, 'home/.local/share/opencode/tool-output')],
    managed: join(root, 'managed'),
  }
}

/** Detects words that begin with `secret-`. */
export function secretsIn(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(/secret-\w+/g), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))
}

export function openCodeSetup(files: OpenCodeFiles): OpenCodeSetup {
  return readOpenCodeSetup(placesIn(openCodeFolder(files)), { secretsIn })
}
