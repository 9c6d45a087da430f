// Plain JavaScript that any Node can read: says so kindly where Node is too old, then hands over to dist/.
import module from 'node:module'

const floor = [20, 19]

export async function launch(name) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < floor[0] || (major === floor[0] && minor < floor[1])) {
    process.stderr.write(
      `contextd needs Node ${floor.join('.')} or newer; this is ${process.versions.node}.\n`,
    )
    process.exit(78)
  }
  module.enableCompileCache?.()
  try {
    await import(`../dist/${name}.js`)
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes(`dist/${name}.js`))
      throw error
    process.stderr.write('contextd is not built yet: run `npm run build` in its folder.\n')
    process.exit(78)
  }
}
