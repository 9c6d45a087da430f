// npm start: installs what the sandbox needs, builds, and runs the daemon in the foreground.
import { stop as endBundler } from 'esbuild'

import { ensureBubblewrap } from './system-packages.mjs'
import { buildProduct } from './build.mjs'

ensureBubblewrap()
await buildProduct()
// Otherwise the bundler would run as long as the daemon.
await endBundler()
process.argv = [process.argv[0], process.argv[1], 'serve', ...process.argv.slice(2)]
await import('../bin/contextd.js')
