// Generates the code for the API from proto/. --check: generated code is current, the files are formatted, and no
// change breaks users of the last release. --release: makes the current proto/ the baseline for later changes.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { installTool } from './tool-cache.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const generated = join(root, 'src/servers/control/gen')
const releasedFile = 'proto/released.binpb'
const programs = [
  installTool('@bufbuild/buf', '1.74.0'),
  installTool('@bufbuild/protoc-gen-es', '2.11.0'),
].map((folder) => join(folder, 'node_modules/.bin'))

function buf(...args) {
  const PATH = [...programs, process.env.PATH].join(delimiter)
  return spawnSync('buf', args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } }).status === 0
}

function generateInto(folder) {
  rmSync(folder, { recursive: true, force: true })
  // Output folders in buf.gen.yaml are relative to the folder given with -o.
  const outputRoot = mkdtempSync(join(tmpdir(), 'contextd-proto-'))
  try {
    if (!buf('generate', '-o', outputRoot)) return false
    const output = join(outputRoot, 'src/servers/control/gen')
    for (const [name, text] of textsIn(output)) writeFileSync(join(output, name), withoutEnums(text))
    cpSync(output, folder, { recursive: true })
    return true
  } finally {
    rmSync(outputRoot, { recursive: true, force: true })
  }
}

/** The sources use only erasable TypeScript syntax, which excludes enums, so each becomes an object and a type. */
function withoutEnums(text) {
  return text.replace(/^export enum (\w+) \{\n(.*?)^\}$/gms, (_, name, body) => {
    const members = body.replace(/^( +\w+) = (\d+),$/gm, '$1: $2,')
    return `export const ${name} = {\n${members}} as const\nexport type ${name} = (typeof ${name})[keyof typeof ${name}]`
  })
}

function textsIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : []
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function isCurrent() {
  const fresh = mkdtempSync(join(tmpdir(), 'contextd-proto-'))
  try {
    if (!generateInto(fresh)) return false
    const [wanted, found] = [textsIn(fresh), textsIn(generated)]
    const stale = [...new Set([...wanted.keys(), ...found.keys()])].filter(
      (name) => wanted.get(name) !== found.get(name),
    )
    for (const name of stale) {
      process.stderr.write(`${relative(root, join(generated, name))} is out of date: run npm run proto\n`)
    }
    return stale.length === 0
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function checkAll() {
  const checks = {
    'generated code is current': isCurrent,
    'the files are formatted': () => buf('lint'),
    'no change breaks users of the last release': () => buf('breaking', '--against', releasedFile),
  }
  let areAllOk = true
  for (const [title, check] of Object.entries(checks)) {
    const isOk = check()
    process.stdout.write(`${isOk ? 'ok  ' : 'FAIL'} ${title}\n`)
    areAllOk &&= isOk
  }
  return areAllOk
}

const [option, ...more] = process.argv.slice(2)
if (more.length > 0 || ![undefined, '--check', '--release'].includes(option)) {
  process.stderr.write('usage: node scripts/proto.mjs [--check | --release]\n')
  process.exit(2)
}
const done =
  option === '--check'
    ? checkAll()
    : option === '--release'
      ? buf('build', '--exclude-source-info', '-o', releasedFile)
      : generateInto(generated)
process.exit(done ? 0 : 1)
