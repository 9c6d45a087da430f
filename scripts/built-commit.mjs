// What dist/ was built from: the commit, and the state of the files.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, '.cache')
const record = join(cache, 'built-commit')
const filesRecord = join(cache, 'built-files')
const sources = ['src', 'packages', 'scripts', 'schema', 'proto', 'package.json', 'package-lock.json']

/** Without repository data, as in an archive of the sources, any build is current. */
export function isBuilt() {
  if (!existsSync(record) || !existsSync(join(root, 'dist', 'ctxd.js'))) return false
  const commit = checkedOutCommit()
  return commit === undefined || commit === readFileSync(record, 'utf8')
}

/** Whether no source changed since the last build. Slower than `isBuilt`, which does not notice edits. */
export function isUpToDate() {
  if (!existsSync(filesRecord) || !existsSync(join(root, 'dist', 'ctxd.js'))) return false
  return readFileSync(filesRecord, 'utf8') === stateOfSources()
}

export function recordBuild(state) {
  mkdirSync(cache, { recursive: true })
  writeFileSync(record, checkedOutCommit() ?? '')
  writeFileSync(filesRecord, state)
}

/** Changes with the name, size or modification time of any source file. */
export function stateOfSources(folder = root) {
  const hash = createHash('sha256')
  const add = (path) => {
    const found = statSync(join(folder, path), { throwIfNoEntry: false })
    if (found?.isDirectory()) {
      const names = readdirSync(join(folder, path)).filter(
        (name) => name !== 'dist' && name !== 'node_modules',
      )
      for (const name of names.sort()) add(join(path, name))
    } else if (found !== undefined) hash.update(`${path}\0${found.size}\0${found.mtimeMs}\0`)
  }
  for (const path of sources) add(path)
  return hash.digest('hex')
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
