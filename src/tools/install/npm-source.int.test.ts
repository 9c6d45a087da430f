import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { makeTar, type TarEntry } from '@contextd/shared/testing/archives'
import { temporaryFolder } from '../../../test/support/audit.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import { openSource } from './open-source.ts'
import { parseSource } from './source.ts'

const hasNpm = spawnSync('npm', ['--version']).status === 0
const web = webServers()

const run = { name: 'package/run.sh', content: '#!/bin/sh\n', mode: 0o755 }

function packed(marker: string, more: readonly TarEntry[] = []): Buffer {
  const scripts = {
    install: `touch ${marker}`,
    prepare: `touch ${marker}`,
    prepack: `touch ${marker}`,
    preinstall: `touch ${marker}`,
  }
  const manifest = { name: 'weather', version: '1.0.0', scripts, dependencies: { unheard: '1.0.0' } }
  return gzipSync(
    makeTar([{ name: 'package/package.json', content: JSON.stringify(manifest) }, run, ...more]),
  )
}

interface Registry {
  readonly url: string
  readonly asked: string[]
}

/** Says what a registry says of one package; `integrity` may be another's, and so may what it calls its version. */
async function registry(
  tarball: Buffer,
  integrity?: string,
  calls = (number: string): string => number,
): Promise<Registry> {
  const asked: string[] = []
  const port: number = await web.serve((request, response) => {
    asked.push(request.url ?? '')
    if (request.url?.endsWith('.tgz') === true) return response.end(tarball)
    if (request.url?.startsWith('/weather') !== true) {
      response.statusCode = 404
      return response.end('{}')
    }
    const real = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const version = (number: string): object => ({
      name: 'weather',
      version: calls(number),
      dist: {
        tarball: `http://127.0.0.1:${port}/weather/-/weather-${number}.tgz`,
        ...(integrity !== 'none' && { integrity: integrity ?? real }),
        shasum: createHash('sha1').update(tarball).digest('hex'),
      },
    })
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        name: 'weather',
        'dist-tags': { latest: '1.0.0', next: '1.1.0' },
        versions: { '1.0.0': version('1.0.0'), '1.1.0': version('1.1.0') },
      }),
    )
  })
  return { url: `http://127.0.0.1:${port}/`, asked }
}

async function fetch(
  source: string,
  { url }: Pick<Registry, 'url'>,
): Promise<{ revision: string; into: string }> {
  // A project around us that would lead npm elsewhere.
  const project = temporaryFolder()
  writeFileSync(join(project, 'package.json'), '{"name": "stranger", "version": "1.0.0"}')
  writeFileSync(join(project, '.npmrc'), 'registry=http://127.0.0.1:1/\nignore-scripts=false\n')
  const [work, into, home] = [join(project, 'work'), join(project, 'into'), join(project, 'home')]
  for (const folder of [work, into, home]) mkdirSync(folder)
  writeFileSync(join(home, '.npmrc'), `registry=${url}\nfetch-retries=0\n`)
  const env = { PATH: process.env.PATH, HOME: home }
  const resolved = await openSource(parseSource(source), { project, env, work }).resolve()
  await resolved.fetch(into)
  return { revision: resolved.revision, into }
}

describe.runIf(hasNpm)('an npm package (needs npm)', () => {
  it('is fetched as it is: nothing of it runs, and nothing else comes along', async () => {
    const marker = join(temporaryFolder(), 'marker')
    const tarball = packed(marker)
    const { url, asked } = await registry(tarball)
    const { revision, into } = await fetch('npm:weather@1.0.0', { url })
    expect(revision).toBe(`1.0.0#sha512-${createHash('sha512').update(tarball).digest('base64')}`)
    expect(readdirSync(into).sort()).toEqual(['package.json', 'run.sh'])
    expect(readFileSync(join(into, 'run.sh'), 'utf8')).toBe('#!/bin/sh\n')
    expect(readdirSync(join(marker, '..'))).toEqual([])
    expect(asked.filter((path) => path.includes('unheard'))).toEqual([])
  })

  it('can be named by a tag, and is the newest otherwise', async () => {
    const place = await registry(packed('/nonexistent/marker'))
    expect((await fetch('npm:weather', place)).revision).toMatch(/^1\.0\.0#/)
    expect((await fetch('npm:weather@next', place)).revision).toMatch(/^1\.1\.0#/)
  })

  it('that is not there is said to be so', async () => {
    const place = await registry(packed('/nonexistent/marker'))
    await expect(fetch('npm:unheard', place)).rejects.toThrow(/no such package/)
    await expect(fetch('npm:weather@9.9.9', place)).rejects.toThrow(/no such package or version/)
    await expect(fetch('npm:weather@1', place)).rejects.toThrow(/more than one version/)
  })

  it('that is not what the registry lists is refused', async () => {
    const tarball = packed('/nonexistent/marker')
    const other = `sha512-${createHash('sha512').update('other').digest('base64')}`
    await expect(fetch('npm:weather', await registry(tarball, other))).rejects.toThrow(
      /not what its registry lists/,
    )
    await expect(fetch('npm:weather', await registry(tarball, 'none'))).rejects.toThrow(/lists no SHA-512/)
  })

  it('whose version is a URL or a folder is refused before npm fetches it', async () => {
    const tarball = packed('/nonexistent/marker')
    const folder = temporaryFolder()
    for (const version of [`file:${folder}`, `git+file://${folder}`, 'http://127.0.0.1:1/x.tgz', '--help']) {
      const place = await registry(tarball, undefined, () => version)
      await expect(fetch('npm:weather@1.0.0', place)).rejects.toThrow(/lists an invalid version/)
    }
    const beta = await registry(tarball, undefined, (number) => `${number}-beta.1+build.7`)
    await expect(fetch('npm:weather@1.0.0', beta)).rejects.toThrow(/no such package or version/)
  })

  it('is held to the hash of its archive where one is given', async () => {
    const tarball = packed('/nonexistent/marker')
    const place = await registry(tarball)
    const sha256 = createHash('sha256').update(tarball).digest('hex')
    await expect(fetch(`npm:weather#sha256=${'0'.repeat(64)}`, place)).rejects.toMatchObject({
      code: 'SHA256_MISMATCH',
    })
    expect((await fetch(`npm:weather#sha256=${sha256}`, place)).revision).toMatch(/^1\.0\.0/)
  })

  it('with a link in it is refused', async () => {
    const tarball = packed('/nonexistent/marker', [{ name: 'package/link', type: '2', link: '/etc/passwd' }])
    await expect(fetch('npm:weather', await registry(tarball))).rejects.toMatchObject({
      code: 'ARCHIVE_REFUSED',
    })
  })
})

const isRegistryThere =
  hasNpm &&
  spawnSync('npm', ['view', 'is-odd@3.0.1', 'version', '--fetch-retries=0'], { timeout: 15_000 }).status === 0

describe.runIf(isRegistryThere)('the registry of npm (needs the internet)', () => {
  it('gives a package that is known', async () => {
    const project = temporaryFolder()
    const [work, into] = [join(project, 'work'), join(project, 'into')]
    for (const folder of [work, into]) mkdirSync(folder)
    const resolved = await openSource(parseSource('npm:is-odd@3.0.1'), {
      project,
      env: process.env,
      work,
    }).resolve()
    await resolved.fetch(into)
    expect(resolved.revision).toMatch(/^3\.0\.1#sha512-/)
    expect(readdirSync(into).sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json'])
  })
})
