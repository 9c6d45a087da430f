// npm start: install what the sandbox needs, build, run the daemon in the foreground.
import { stop as endBundler } from 'esbuild'

import { ensureBubblewrap } from './system-packages.mjs'
import { buildProduct } from './build.mjs'

ensureBubblewrap()
await buildProduct()
// Otherwise it would keep running as long as the daemon.
await endBundler()
process.argv = [process.argv[0], process.argv[1], 'serve', ...process.argv.slice(2)]
await import('../bin/contextd.js')
