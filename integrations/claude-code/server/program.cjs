// Finds contextd for the plugin, which contains no copy of it: the program is the repository the plugin came from.
'use strict'

const { existsSync } = require('node:fs')
const { basename, join } = require('node:path')
const { pathToFileURL } = require('node:url')

const missing =
  'contextd was not found next to its plugin. Install the plugin from its repository: claude plugin marketplace add <repository>, then claude plugin install contextd@contextd.'

/**
 * Claude Code runs a plugin in place if its marketplace is a folder. From a git address it copies the plugin to
 * `plugins/cache/<marketplace>/<plugin>/<version>` and keeps the clone in `plugins/marketplaces/<marketplace>`.
 */
exports.findRepository = function findRepository(server = __dirname) {
  const parent = join(server, '..', '..', '..')
  const clone = join(parent, '..', '..', 'marketplaces', basename(parent))
  return [parent, clone].find((folder) => existsSync(join(folder, 'bin', 'contextd.js')))
}

/** Runs a program of the repository in this process, and builds it first if there is no build. */
exports.runProgram = async function runProgram(name) {
  const repository = exports.findRepository()
  const isBuilt = repository !== undefined && existsSync(join(repository, 'dist', 'ctxd.js'))
  const problem = isBuilt ? undefined : await exports.prepareProgram()
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    process.exit(78)
  }
  require(join(repository, 'bin', name))
}

/**
 * Installs the repository's packages and builds it if its commit has changed. Returns a message for the user if that
 * failed.
 */
exports.prepareProgram = async function prepareProgram() {
  const repository = exports.findRepository()
  if (repository === undefined) return missing
  const script = join(repository, 'scripts', 'prepare-build.mjs')
  // The npm package contains the plugin and the built program, and no scripts.
  if (!existsSync(script)) return undefined
  const { prepareBuild } = await import(pathToFileURL(script))
  return prepareBuild()
}
