/** The package that `ctxd tool new` creates: it works, and shows the purpose of each file. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { MANIFEST } from './manifest.ts'
import { DESCRIPTION, SCHEMA } from './tool-package.ts'

const executable = 'run.sh'

/** Writes the files into a new folder, and returns their names. Throws if it exists. */
export function writeNewPackage(folder: string, name: string): string[] {
  mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(folder)
  const files = newPackage(name)
  for (const [path, text] of files) writeFileSync(join(folder, path), text, { flag: 'wx' })
  chmodSync(join(folder, executable), 0o755)
  return files.map(([path]) => path)
}

function newPackage(name: string): [path: string, text: string][] {
  const schema = {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to say.' } },
    required: ['text'],
    additionalProperties: false,
  }
  return [
    [
      DESCRIPTION,
      'Says back what it is given. (What the agent reads: one or two sentences, under 100 tokens.)\n',
    ],
    [SCHEMA, `${JSON.stringify(schema, null, 2)}\n`],
    [MANIFEST, manifest(name)],
    [executable, script],
  ]
}

function manifest(name: string): string {
  return `[component]
name = "${name}"
version = "0.1.0"
executable = "${executable}"

[capabilities]
# What it cannot work without, and what it may ask a person for while it runs:
# "fs:read:src/**", "fs:write:out/**", "http:fetch:GET@api.example.com", "scrubber:scan", …
required = []
optional = []

[limits]
max_execution_time = "10s"
max_memory = "64MB"
max_output_size = "1MB"
`
}

const script = `#!/usr/bin/env bash
# The input is JSON on standard input; what is written to standard output is the answer, JSON or text.
# It starts in its own folder. The folders it was granted are below "$CONTEXTD_WORKSPACE".
set -euo pipefail
input=$(cat)
printf '{"you_said": %s}\\n' "$input"
`
