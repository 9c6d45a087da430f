// Loads a program from dist/, or reports that Node is too old: plain JavaScript, which any version of Node can parse.
// CommonJS, because clients wait for their hooks at every use of a tool, and ES modules take longer to load.
'use strict'

const floor = [20, 19]

/** `ctxd` and `contextd` are the same program. What clients wait for, and the most frequent commands, have small bundles. */
function bundleFor([first, second = '']) {
  if (first === 'mcp') return 'mcp.js'
  if (first === 'hook' && /^[a-z]/.test(second))
    return second === 'shell' || second === 'shell-rest' ? 'hook-shell.cjs' : 'hook.cjs'
  const isQuick = first === '--help' || first === '-h' || (first === 'config' && second === 'get')
  return isQuick ? 'ctxd-quick.cjs' : 'ctxd.js'
}

exports.launch = async function launch(file = bundleFor(process.argv.slice(2))) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < floor[0] || (major === floor[0] && minor < floor[1])) {
    process.stderr.write(
      `contextd needs Node ${floor.join('.')} or newer; this is ${process.versions.node}.\n`,
    )
    process.exit(78)
  }
  require('node:module').enableCompileCache?.()
  try {
    if (file.endsWith('.cjs')) require(`../dist/${file}`)
    else await import(`../dist/${file}`)
  } catch (error) {
    if (error?.syscall === 'uv_cwd') {
      process.stderr.write(
        'The current directory no longer exists. Change to another directory and run the command again.\n',
      )
      process.exit(2)
    }
    const isMissing = error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'MODULE_NOT_FOUND'
    if (!isMissing || !String(error.message).includes(`dist/${file}`)) throw error
    process.stderr.write('contextd is not built yet: run `npm run build` in its folder.\n')
    process.exit(78)
  }
}
