/** What listens on the user's machine while a task is done. */

import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import type { JsonObject } from '@contextd/shared/json/value'
import { makeTar } from '@contextd/shared/testing/archives'
import type { Service } from '../task.ts'

export async function openService(answer: RequestListener): Promise<Service> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const name = 'tiny-money'
const versions: Readonly<Record<string, string>> = {
  '1.2.0': 'export const format = (cents) => `${(cents / 100).toFixed(2)} EUR`\n',
  '2.0.0': 'export const format = ({ cents, currency }) => `${(cents / 100).toFixed(2)} ${currency}`\n',
}

const json = (value: JsonObject): string => `${JSON.stringify(value, null, 2)}\n`
const manifestOf = (version: string): JsonObject => ({ name, version, type: 'module', main: 'index.mjs' })

function filesOf(version: string): [file: string, content: string][] {
  return [
    ['package.json', json(manifestOf(version))],
    ['index.mjs', versions[version]!],
    ['README.md', `# ${name}\n\nSince 2.0.0, \`format\` takes \`{ cents, currency }\`.\n`],
  ]
}

function tarballOf(version: string): Buffer {
  return gzipSync(makeTar(filesOf(version).map(([file, content]) => ({ name: `package/${file}`, content }))))
}

/** As npm names it, where it listens on the port. */
function distOf(version: string, port: number): { tarball: string; integrity: string } {
  const digest = createHash('sha512').update(tarballOf(version)).digest('base64')
  return {
    tarball: `http://127.0.0.1:${port}/${name}/-/${name}-${version}.tgz`,
    integrity: `sha512-${digest}`,
  }
}

/** A registry for npm with one package. */
export async function openRegistry(): Promise<Service> {
  const service = await openService(({ url = '' }, response) => {
    const version = /-([\d.]+)\.tgz$/.exec(url)?.[1]
    if (version !== undefined) return void response.end(tarballOf(version))
    if (url !== `/${name}`) return void response.writeHead(404).end('{}')
    const all = Object.keys(versions).map((one) => [
      one,
      { ...manifestOf(one), dist: distOf(one, service.port) },
    ])
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: '2.0.0' },
        versions: Object.fromEntries(all) as JsonObject,
      }),
    )
  })
  return service
}

/** The files of a project with the older version, as `npm install` leaves them. */
export function installed(port: number): [path: string, content: string][] {
  const version = '1.2.0'
  const { tarball, integrity } = distOf(version, port)
  const root = { name: 'shop', version: '1.4.0', dependencies: { [name]: `^${version}` } }
  const lock = {
    name: root.name,
    version: root.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, [`node_modules/${name}`]: { version, resolved: tarball, integrity } },
  }
  const scripts = { test: 'node --test --test-reporter=spec test/*.test.mjs' }
  return [
    ['package.json', json({ ...root, private: true, type: 'module', scripts })],
    ['package-lock.json', json(lock)],
    ...filesOf(version).map(([file, content]): [string, string] => [`node_modules/${name}/${file}`, content]),
  ]
}
