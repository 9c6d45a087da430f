import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { sandboxHere } from '../support/sandbox-here.ts'
import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import type { Ended, SandboxLimits, Sandbox } from '../../src/sandbox/sandbox.ts'
import { confinedTo, roomyLimits } from './confined-to.ts'
import { tempFolder } from './scratch.ts'

describe.runIf(sandboxHere)('commands that race with their guard', () => {
  const scratch = tempFolder()
  const workspace = join(scratch.path, 'workspace')
  const guarded = [join(workspace, '.mcp.json'), join(workspace, '.claude')]
  let sandbox: Sandbox

  beforeAll(async () => {
    mkdirSync(workspace)
    sandbox = await openBubblewrap({ folder: join(scratch.path, 'state') })
  })
  afterAll(async () => {
    await sandbox.close()
    scratch.remove()
  })

  const run = (command: string, limits: Partial<SandboxLimits> = {}): Promise<Ended> =>
    sandbox.run(
      { run: command, cwd: workspace, env: {} },
      confinedTo(workspace, { guarded, limits: { ...roomyLimits, ...limits } }),
    )

  test('a flood of changes keeps nobody from ending it', async () => {
    const flood = `perl -e 'open F, ">a"; my $end = time + 120; while (time < $end) { rename "a", "b"; rename "b", "a" }'`
    // Without care the loop would end by itself first: all of contextd would be busy with its changes.
    expect(await run(flood, { timeMs: 1500 })).toMatchObject({ limit: 'time' })
  })

  test('what one command plants, and another finds there, does not stay', async () => {
    for (let round = 0; round < 6; round++) {
      const planting = run('for i in $(seq 12); do echo b > .mcp.json; sleep 0.02; done')
      const finding = run('sleep 0.4; echo evil > .mcp.json')
      await Promise.all([planting, finding])
      expect(existsSync(join(workspace, '.mcp.json'))).toBe(false)
    }
  })

  test('no descriptor is left behind', async () => {
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    for (let count = 0; count < 5; count++) await run('true')
    const before = openFiles()
    for (let count = 0; count < 40; count++) await run('echo x')
    // A few are kept ready for the next commands.
    expect(openFiles() - before).toBeLessThan(30)
  })

  test('nothing with the setuid bit is left behind', async () => {
    const script = 'cp /usr/bin/true mine && chmod 4755 mine; perl -e \'sysopen F, "made", 0101, 04755\''
    const isSetuid = (name: string): boolean =>
      (statSync(join(workspace, name), { throwIfNoEntry: false })?.mode ?? 0) > 0o104000
    await run(script)
    expect([isSetuid('mine'), isSetuid('made')]).toEqual([false, false])
    // The twin, outside, in a folder that goes with the test.
    for (const name of ['mine', 'made']) rmSync(join(workspace, name), { force: true })
    execFileSync('bash', ['-c', script], { cwd: workspace })
    expect([isSetuid('mine'), isSetuid('made')]).toEqual([true, true])
  })

  test('ordinary modes still work', async () => {
    await run('echo x > file; chmod 640 file; mkdir folder; chmod 2775 folder')
    expect(statSync(join(workspace, 'file')).mode & 0o777).toBe(0o640)
    expect(statSync(join(workspace, 'folder')).mode & 0o7777).toBe(0o2775)
    expect(readFileSync(join(workspace, 'file'), 'utf8')).toBe('x\n')
  })
})
