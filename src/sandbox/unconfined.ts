/**
 * `sandbox.mode = "off"`: commands run with all privileges of contextd. Only time limits, output limits and cancelling
 * still apply.
 */

import { mkdirSync } from 'node:fs'

import { createCell, type Cell } from './cell.ts'
import { gateScript } from './gate.ts'
import { createPipes } from './pipes.ts'
import { refuseMissingFolder, runInCell } from './run-cell.ts'
import type { Confinement, Sandbox } from './sandbox.ts'
import { startInCell, withoutEnd } from './start-cell.ts'

export function createUnconfined({ folder }: { folder: string }): Sandbox {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pipes = createPipes(folder)
  const running = new Set<Cell>()
  const make = ({ programs }: Confinement): Cell => {
    const cell = createCell({
      program: '/bin/bash',
      args: ['--norc', '-c', gateScript(undefined)],
      env: {
        PATH: [...programs, process.env.PATH ?? '/usr/bin:/bin'].join(':'),
        HOME: process.env.HOME,
      },
      feeds: [],
      pipes,
      cgroup: undefined,
      kill: ({ pid }) => pid !== undefined && process.kill(-pid, 'SIGKILL'),
    })
    running.add(cell)
    void cell.removed.finally(() => running.delete(cell))
    return cell
  }
  return {
    state: async () => ({
      available: true,
      driver: 'none',
      version: 'off',
      asRoot: process.getuid?.() === 0,
      memory: 'watchdog',
    }),
    async run(command, confinement, options = {}) {
      const cell = make(confinement)
      try {
        const ended = await runInCell(cell, command, withoutGuards(confinement), options)
        refuseMissingFolder(cell)
        return ended
      } finally {
        cell.kill()
      }
    },
    start: (command, confinement) => startInCell(make(confinement), command, withoutEnd(confinement).limits),
    async close() {
      for (const cell of running) cell.kill()
      await Promise.allSettled([...running].map(({ removed }) => removed))
      pipes.close()
    },
  }
}

/** Nothing is guaranteed here, so nothing is moved aside either. */
function withoutGuards(confinement: Confinement): Confinement {
  return { ...confinement, guarded: [] }
}
