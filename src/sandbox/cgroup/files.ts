import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeSync,
} from 'node:fs'
import { mkdir, open, rmdir } from 'node:fs/promises'

/** Access to the kernel's cgroup files. Few machines have every kind, so tests supply their own. */
export interface CgroupFiles {
  read(path: string): string
  /** To an existing file: only the kernel creates them. */
  write(path: string, text: string): void
  list(path: string): string[]
  makeFolder(path: string): void
  removeFolder(path: string): void
  isWritable(path: string): boolean
  /** Off the main thread: each of these may wait for a lock that the kernel holds for milliseconds. */
  readonly later: {
    write(path: string, text: string): Promise<void>
    makeFolder(path: string): Promise<void>
    removeFolder(path: string): Promise<void>
  }
}

export const cgroupFiles: CgroupFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  write(path, text) {
    const file = openSync(path, constants.O_WRONLY)
    try {
      writeSync(file, text)
    } finally {
      closeSync(file)
    }
  },
  list: (path) => readdirSync(path),
  makeFolder: (path) => mkdirSync(path),
  removeFolder: (path) => rmdirSync(path),
  isWritable(path) {
    try {
      accessSync(path, constants.W_OK)
      return true
    } catch {
      return false
    }
  },
  later: {
    async write(path, text) {
      const file = await open(path, constants.O_WRONLY)
      try {
        await file.write(text)
      } finally {
        await file.close()
      }
    },
    makeFolder: async (path) => {
      await mkdir(path)
    },
    removeFolder: (path) => rmdir(path),
  },
}
