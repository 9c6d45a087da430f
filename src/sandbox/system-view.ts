import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'

import { bridgePlaces, type SystemView } from './bwrap-line.ts'
import { bridgeScript } from './bridge/forward.ts'
import { refuseScript } from './bridge/refuse.ts'

const topFolders = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** Needed for the loader, certificates, time zones and languages. */
const etcFiles = [
  'alternatives',
  'ca-certificates',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'perl',
  'pki/ca-trust/extracted',
  'pki/tls/certs',
  'protocols',
  'python3',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'terminfo',
].map((name) => `/etc/${name}`)

/** Name, major and minor number of the nodes that bubblewrap creates in `/dev`. */
const deviceNumbers = [
  ['null', 1, 3],
  ['zero', 1, 5],
  ['full', 1, 7],
  ['random', 1, 8],
  ['urandom', 1, 9],
  ['tty', 5, 0],
] as const

const nobody = 65_534

/**
 * Inspects the machine, and creates in `folder` (private to this user) the files that replace the machine's own inside.
 */
export function viewSystem(folder: string): SystemView {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const links: SystemView['links'][number][] = []
  const folders = ['/usr']
  for (const name of topFolders) {
    const path = `/${name}`
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) links.push({ path, target: readlinkSync(path) })
    else if (found?.isDirectory()) folders.push(path)
  }
  const node = { source: process.execPath, path: bridgePlaces.node }
  return {
    links,
    folders,
    etc: etcFiles.filter((path) => existsSync(path)),
    own: ownFiles(folder),
    bridge: [ownFile(folder, bridgePlaces.script, bridgeScript), node],
    refusal: [ownFile(folder, bridgePlaces.refusal, refuseScript), node],
    devices: process.getuid?.() === 0 ? ownDevices(join(folder, 'dev')) : [],
  }
}

/** The machine's files would reveal its user names and the hosts around it. */
function ownFiles(folder: string): SystemView['own'] {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  const name = uid === 0 ? 'root' : 'agent'
  const nobodyUser = `nobody:x:${nobody}:${nobody}:nobody:/nonexistent:/usr/sbin/nologin\n`
  const texts: readonly [place: string, text: string][] = [
    ['/etc/hosts', '127.0.0.1 localhost sandbox\n::1 localhost\n'],
    ['/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files\n'],
    ['/etc/passwd', `${name}:x:${uid}:${gid}:${name}:/tmp:/bin/bash\n${nobodyUser}`],
    ['/etc/group', `${name}:x:${gid}:\nnogroup:x:${nobody}:\n`],
  ]
  return texts.map(([path, text]) => ownFile(folder, path, text))
}

function ownFile(folder: string, path: string, text: string): SystemView['own'][number] {
  const source = join(folder, basename(path))
  // Another contextd may be using it right now: a correct file is left alone.
  if (!existsSync(source) || readFileSync(source, 'utf8') !== text)
    writeFileSync(source, text, { mode: 0o644 })
  return { source, path }
}

/** Root inside could change nodes owned by root, and so those of the machine. */
function ownDevices(folder: string): SystemView['devices'] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return deviceNumbers.map(([name, major, minor]) => {
    const source = join(folder, name)
    const numbers = [String(major), String(minor)]
    if (!existsSync(source)) spawnSync('mknod', [source, 'c', ...numbers], { env: { PATH: '/usr/bin:/bin' } })
    const found = statSync(source, { throwIfNoEntry: false })
    if (found?.isCharacterDevice() !== true || found.rdev !== major * 256 + minor) {
      throw new Error(`the device ${source} cannot be created`)
    }
    chmodSync(source, 0o666)
    chownSync(source, nobody, nobody)
    return { source, path: `/dev/${name}` }
  })
}
