import { expect, test } from 'vitest'

import { confinedTo } from '../../test/sandbox/confined-to.ts'
import { bwrapOptions, isBelow, parentsBetween, type PathKind, type SystemView } from './bwrap-line.ts'
import type { Confinement } from './sandbox.ts'

const system: SystemView = {
  links: [{ path: '/bin', target: 'usr/bin' }],
  folders: ['/usr'],
  etc: ['/etc/ld.so.cache'],
  own: [{ source: '/state/hosts', path: '/etc/hosts' }],
  bridge: [{ source: '/state/forward.cjs', path: '/run/contextd/forward.cjs' }],
  refusal: [{ source: '/state/refuse.cjs', path: '/run/contextd/refuse.cjs' }],
  devices: [],
}
const workspace = '/home/me/shop'

function optionsFor(more: Partial<Confinement>, kinds: Record<string, PathKind> = {}, view = system): string {
  const kindOf = (path: string): PathKind => kinds[path.slice(workspace.length + 1)] ?? 'absent'
  return bwrapOptions(confinedTo(workspace, more), { system: view, kindOf }).join(' ')
}

test('every namespace, no capability, no environment', () => {
  const options = optionsFor({})
  expect(options).toContain('--unshare-all --unshare-user --disable-userns --die-with-parent --new-session')
  expect(options).toContain('--cap-drop ALL')
  expect(options).toContain('--clearenv')
  expect(options).not.toMatch(/--share-net|--cap-add/)
})

test('nothing is writable except writable binds, and writable in-memory folders have a size', () => {
  const options = optionsFor({})
  expect(options).toContain(`--bind ${workspace} ${workspace}`)
  expect([...options.matchAll(/--bind (\S+)/g)].map(([, path]) => path)).toEqual([workspace])
  expect([...options.matchAll(/(--size \d+ )?--tmpfs/g)].every(([, size]) => size !== undefined)).toBe(true)
  expect(options.lastIndexOf('--remount-ro /')).toBeGreaterThan(options.lastIndexOf('bind'))
  expect(optionsFor({ folders: [{ path: workspace, access: 'read' }] })).toContain(`--ro-bind ${workspace}`)
})

test('a guarded path is read-only, and its parent folders cannot be moved', () => {
  const guarded = ['.git/hooks', '.git/config', '.mcp.json', '.claude'].map((path) => `${workspace}/${path}`)
  const options = optionsFor({ guarded }, { '.git': 'folder', '.git/hooks': 'folder', '.git/config': 'file' })
  const at = (text: string): number => options.indexOf(text)
  expect(at(`--bind ${workspace}/.git ${workspace}/.git `)).toBeGreaterThan(at(`--bind ${workspace} `))
  expect(at(`--ro-bind ${workspace}/.git/hooks `)).toBeGreaterThan(at(`--bind ${workspace}/.git `))
  expect(options).toContain(`--ro-bind ${workspace}/.git/config `)
  expect(options).not.toContain('.mcp.json')
})

test('a read-only path needs no guard, and a path outside gets none', () => {
  const guarded = [`${workspace}/.claude`, '/elsewhere/.claude']
  const folders = [{ path: workspace, access: 'read' as const }]
  expect(optionsFor({ guarded, folders }, { '.claude': 'folder' })).not.toContain('.claude')
  expect(optionsFor({ guarded }, { '.claude': 'folder' })).toContain('.claude')
})

test('a hidden folder is empty, a hidden file cannot be opened', () => {
  const hidden = [`${workspace}/state`, `${workspace}/.env`, `${workspace}/none`]
  const options = optionsFor({ hidden }, { state: 'folder', '.env': 'file' })
  expect(options).toContain(`--tmpfs ${workspace}/state --remount-ro ${workspace}/state`)
  expect(options).toContain(`--ro-bind /dev/null ${workspace}/.env`)
  expect(options).not.toContain('none')
})

test('caches are somewhere else inside, also if their own place is hidden', () => {
  const caches = [{ source: `${workspace}/own/npm`, path: '.npm/_cacache' }]
  const options = optionsFor({ caches, hidden: [`${workspace}/own`] }, { own: 'folder' })
  expect(options).toContain(`--bind ${workspace}/own/npm /tmp/.npm/_cacache`)
  expect(options).toContain(`--tmpfs ${workspace}/own --remount-ro ${workspace}/own`)
  expect(optionsFor({})).not.toContain('.npm')
})

test('as root the devices are our own', () => {
  const devices = [{ source: '/state/dev/null', path: '/dev/null' }]
  const options = optionsFor({ hidden: [`${workspace}/.env`] }, { '.env': 'file' }, { ...system, devices })
  expect(options).toContain('--dev /dev --dev-bind /state/dev/null /dev/null')
  expect(options).toContain(`--ro-bind /state/dev/null ${workspace}/.env`)
})

test('containment of paths', () => {
  expect(isBelow('/a/b', '/a')).toBe(true)
  expect(isBelow('/a/..b', '/a')).toBe(true)
  expect(isBelow('/a', '/a')).toBe(false)
  expect(isBelow('/ab', '/a')).toBe(false)
  expect(parentsBetween('/a', '/a/b/c/d')).toEqual(['/a/b', '/a/b/c'])
  expect(parentsBetween('/a', '/a/b')).toEqual([])
})

test('the bridge exists only if hosts are granted', () => {
  expect(optionsFor({})).not.toContain('/run/contextd')
  const options = optionsFor({ network: '/run/net.sock' })
  expect(options).toContain('--ro-bind /state/forward.cjs /run/contextd/forward.cjs')
  expect(options).toContain('--ro-bind /run/net.sock /run/contextd/net.sock')
  expect(options).not.toContain('--share-net')
  const services = [{ host: '::1', port: 5432, socket: '/run/five.bridge' }] as const
  expect(optionsFor({ network: '/run/net.sock', services })).toContain(
    '--ro-bind /run/five.bridge /run/contextd/six-5432.sock',
  )
  const refusing = optionsFor({ refusesHosts: true })
  expect(refusing).toContain('--ro-bind /state/refuse.cjs /run/contextd/refuse.cjs')
  expect(refusing).not.toContain('net.sock')
})
