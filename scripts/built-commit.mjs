// Which commit dist/ was built from.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, '.cache')
const record = join(cache, 'built-commit')

/** Without repository data, as in an archive of the sources, any build is current. */
export function isBuilt() {
  if (!existsSync(record) || !existsSync(join(root, 'dist', 'contextd.js'))) return false
  const commit = checkedOutCommit()
  return commit === undefined || commit === readFileSync(record, 'utf8')
}

export function recordBuild() {
  mkdirSync(cache, { recursive: true })
  writeFileSync(record, checkedOutCommit() ?? '')
}

/** Read from git's files: this runs at the start of every session, and starting git costs more. */
function checkedOutCommit() {
  try {
    const head = gitFile('HEAD').trim()
    const ref = /^ref: (.+)$/.exec(head)?.[1]
    return ref === undefined ? head : (looseRef(ref) ?? packedRef(ref))
  } catch {
    return undefined
  }
}

const gitFile = (name) => readFileSync(join(root, '.git', name), 'utf8')

function looseRef(ref) {
  try {
    return gitFile(ref).trim()
  } catch {
    return undefined
  }
}

function packedRef(ref) {
  const line = gitFile('packed-refs')
    .split('\n')
    .find((text) => text.endsWith(` ${ref}`))
  return line?.split(' ')[0]
}
