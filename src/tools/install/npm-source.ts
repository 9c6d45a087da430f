/**
 * A tool from an npm registry. npm only looks it up and downloads it: nothing is installed, and nothing of the package
 * is run.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { readArchive } from './archive.ts'
import { readArchiveFile } from './archive-source.ts'
import { sourceUnavailable } from './problems.ts'
import { runProgram } from './programs.ts'
import { verifySha256, type ParsedSource, type ToolSource } from './source.ts'
import { writeTree } from './tree.ts'

type NpmName = Extract<ParsedSource, { kind: 'npm' }>

export interface NpmPlace {
  /** Private, for npm's own files. */
  readonly work: string
  readonly env: NodeJS.ProcessEnv
}

const maxAnswerBytes = 4 * 1_048_576
const versionPattern = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/

export function npmSource({ name, version, sha256 }: NpmName, place: NpmPlace): ToolSource {
  const npm = openNpm(place)
  return {
    async resolve() {
      // For a single field npm would print the bare value.
      const fields = ['name', 'version', 'dist.integrity']
      const found = readView(await npm(['view', `${name}@${version}`, ...fields]))
      return {
        revision: `${found.version}#${found.integrity}`,
        async fetch(into) {
          const folder = join(place.work, 'packed')
          mkdirSync(folder, { recursive: true, mode: 0o700 })
          const [packed] = asArray(
            await npm(['pack', `${name}@${found.version}`, `--pack-destination=${folder}`]),
          )
          const file = isJsonObject(packed) ? packed.filename : undefined
          if (typeof file !== 'string' || file.includes('/'))
            throw sourceUnavailable('npm did not report what it fetched')
          const bytes = readArchiveFile(join(folder, file))
          if (`sha512-${createHash('sha512').update(bytes).digest('base64')}` !== found.integrity)
            throw sourceUnavailable('what npm fetched is not what its registry lists')
          verifySha256(bytes, sha256)
          writeTree(into, await readArchive(bytes))
        },
      }
    },
  }
}

function openNpm({ work, env }: NpmPlace): (args: readonly string[]) => Promise<Json> {
  const folder = join(work, 'npm')
  return async (args) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Otherwise npm would search parent folders for one, and read the settings next to it.
    writeFileSync(join(folder, 'package.json'), '{}')
    const flags = [
      '--json',
      '--ignore-scripts',
      '--workspaces=false',
      '--global=false',
      `--prefix=${folder}`,
      `--cache=${join(work, 'npm-cache')}`,
      '--no-update-notifier',
      '--logs-max=0',
      '--loglevel=error',
      '--fetch-retries=1',
      '--fetch-retry-mintimeout=1000',
    ]
    const call = {
      program: 'npm',
      args: [...args, ...flags],
      cwd: folder,
      env,
      maxBytes: maxAnswerBytes,
    } as const
    const printed = await runProgram(call, explain)
    try {
      return JSON.parse(printed.toString()) as Json
    } catch {
      throw sourceUnavailable('npm printed unreadable output')
    }
  }
}

function explain(complaint: string): string {
  const code = /\bcode (E\w+)/.exec(complaint)?.[1]
  if (code === 'E404' || code === 'ETARGET') return 'the registry has no such package or version'
  if (code === 'EINTEGRITY') return 'what npm fetched is not what its registry lists'
  return code === undefined ? 'npm could not fetch it' : `npm could not fetch it (${code})`
}

function readView(answer: Json): { version: string; integrity: string } {
  if (Array.isArray(answer))
    throw sourceUnavailable(
      'more than one version is meant',
      'Name one version, such as npm:weather@1.2.3, or a tag.',
    )
  const { version, 'dist.integrity': integrity } = isJsonObject(answer) ? answer : {}
  if (typeof version !== 'string') throw sourceUnavailable('the registry has no such package or version')
  // It is passed to npm next, which also accepts URLs and local folders as versions.
  if (!versionPattern.test(version)) throw sourceUnavailable('the registry lists an invalid version')
  if (typeof integrity !== 'string' || !/^sha512-[\w+/]+=*$/.test(integrity))
    throw sourceUnavailable('the registry lists no SHA-512 for it, so it cannot be verified')
  return { version, integrity }
}

function asArray(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}
