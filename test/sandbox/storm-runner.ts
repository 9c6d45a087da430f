/** Runs commands in sandboxes for as long as it lives. `argv`: state folder, workspace, name of what it starts. */

import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { confinedTo } from './confined-to.ts'

const [folder = '', workspace = '', name = ''] = process.argv.slice(2)
const sandbox = await openBubblewrap({ folder })
const commands = [
  `exec -a ${name} sleep 300`,
  `(exec -a ${name} sleep 300) & setsid bash -c 'exec -a ${name} sleep 300' & sleep 0.05`,
  `trap '' TERM HUP; for i in 1 2 3; do (exec -a ${name} sleep 300) & done; wait`,
  'echo written > "$RANDOM"; true',
]
const work = async (run: string): Promise<void> => {
  for (;;) {
    const confinement = confinedTo(workspace, { guarded: [`${workspace}/.mcp.json`] })
    await sandbox.run({ run, cwd: workspace, env: {} }, confinement)
  }
}
const { available } = await sandbox.state()
if (!available) throw new Error('there is no sandbox here')
if (process.argv[5] === 'once') await sandbox.close()
else await Promise.all(commands.map(work))
