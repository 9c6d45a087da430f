// node scripts/build-plugin.mjs [--check]: the parts of the Claude Code plugin that are made from the rest of the
// repository. They are committed, so that the plugin can be used from a clone as it is. --check: are they current?
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { bundles, quickOptions, quickPrograms } from './build.mjs'
import { bundle } from './bundle.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const plugin = join(root, 'integrations', 'claude-code')

/** What is made as a whole: whatever else lies there is left from before. */
const madeFolders = ['server/assets', 'server/bin', 'server/dist', 'hooks']

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const byName = (one, other) => (one < other ? -1 : 1)
const json = (value) => `${JSON.stringify(value, null, 2)}\n`

async function makeInto(folder) {
  const put = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const { version } = readJson('package.json')
  const about = '.claude-plugin/plugin.json'
  const written = readFileSync(join(plugin, about), 'utf8')
  put(about, written.replace(/("version": )"[^"]*"/, `$1"${version}"`))
  put('LICENSE', readFileSync(join(root, 'LICENSE')))
  put('hooks/hooks.json', json(await pluginHooks()))
  for (const [name, content] of Object.entries(storageManifest())) put(`server/${name}`, json(content))
  for (const kind of ['assets', 'bin']) {
    for (const name of filesBelow(join(root, kind)))
      put(`server/${kind}/${name}`, readFileSync(join(root, kind, name)))
  }
  put('server/THIRD-PARTY-LICENSES.txt', licencesOf(await bundleInto(join(folder, 'server', 'dist'))))
}

/** Answers the packages that are in it. */
async function bundleInto(outdir) {
  // Where node_modules is a link, what is bundled has the same names all the same.
  const options = { minify: true, legalComments: 'eof', metafile: true, preserveSymlinks: true }
  // The folder is shared as it is: what server and commands have in common is in it once.
  const { index: _, ...programs } = Object.assign({}, ...bundles)
  const groups = [
    [programs, options],
    [{ 'plugin-storage': 'src/cli/plugin-storage.ts' }, options],
    [quickPrograms, { ...options, ...quickOptions }],
  ]
  const packages = new Set()
  for (const [group, how] of groups) {
    const { metafile } = await bundle(group, outdir, how)
    for (const { inputs } of Object.values(metafile.outputs)) {
      for (const input of Object.keys(inputs)) {
        const name = /^.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
        if (name !== undefined) packages.add(name)
      }
    }
  }
  return [...packages].sort(byName)
}

function licencesOf(packages) {
  const texts = packages.map((name) => {
    const folder = join(root, 'node_modules', name)
    const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:\.\w+)?$/i.test(entry))
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    return `${name} ${version} (${license})\n${text}`
  })
  return `The bundled server contains these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

/** The one package that cannot be bundled, as our own lock file pins it, and what it needs. */
function storageManifest() {
  const { lockfileVersion, packages } = readJson('package-lock.json')
  const { optionalDependencies: dependencies } = readJson('package.json')
  const pinned = {}
  const pin = (name) => {
    const path = `node_modules/${name}`
    if (pinned[path] !== undefined) return
    const { optional: _, ...entry } = packages[path]
    pinned[path] = entry
    Object.keys(entry.dependencies ?? {}).forEach(pin)
  }
  Object.keys(dependencies).forEach(pin)
  return {
    'package.json': { private: true, type: 'module', dependencies },
    'package-lock.json': { lockfileVersion, requires: true, packages: { '': { dependencies }, ...pinned } },
  }
}

async function pluginHooks() {
  const { hookConfig } = await importTs('src/clients/claude-code/hook-config.ts')
  const { SessionStart, ...calls } = hookConfig({
    server: 'plugin:contextd:contextd',
    matcherPrefix: 'mcp__plugin_contextd_contextd__',
    command: ['node', '${CLAUDE_PLUGIN_ROOT}/server/bin/contextd.js', 'hook'],
    // A plugin cannot set the base URL: its hooks find out by themselves whether the door is on.
    door: false,
  })
  const prepare = {
    type: 'command',
    command: 'node',
    args: ['${CLAUDE_PLUGIN_ROOT}/server/session-start.mjs'],
  }
  return { hooks: { SessionStart: [{ hooks: [{ ...prepare, timeout: 300 }] }, ...SessionStart], ...calls } }
}

async function importTs(source) {
  const options = {
    entryPoints: [join(root, source)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  }
  const [{ text }] = (await build(options)).outputFiles
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

function differences(made) {
  const current = filesBelow(made)
  const stale = madeFolders
    .flatMap((folder) => filesBelow(join(plugin, folder)).map((file) => join(folder, file)))
    .filter((file) => !current.includes(file))
  const isSame = (file) =>
    existsSync(join(plugin, file)) && readFileSync(join(plugin, file)).equals(readFileSync(join(made, file)))
  return [...stale, ...current.filter((file) => !isSame(file))].sort(byName)
}

/** Answers the files that were not as they should be; `write` puts them right. */
export async function buildPlugin({ write }) {
  const made = mkdtempSync(join(tmpdir(), 'contextd-plugin-'))
  try {
    await makeInto(made)
    const changed = differences(made)
    if (write && changed.length > 0) {
      for (const folder of madeFolders) rmSync(join(plugin, folder), { recursive: true, force: true })
      for (const file of filesBelow(made)) {
        mkdirSync(dirname(join(plugin, file)), { recursive: true })
        copyFileSync(join(made, file), join(plugin, file))
      }
    }
    return changed
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  const changed = await buildPlugin({ write: !check })
  if (check && changed.length > 0) {
    process.stderr.write(
      `The plugin is not current; run \`node scripts/build-plugin.mjs\`:\n  ${changed.join('\n  ')}\n`,
    )
    process.exit(1)
  }
}
