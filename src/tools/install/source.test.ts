import { describe, expect, it } from 'vitest'

import { parseSource } from './source.ts'

const hash = 'ab'.repeat(32)

describe('a source', () => {
  it.each<[string, object]>([
    ['./weather', { kind: 'path', path: './weather' }],
    ['/srv/tools/weather.tar.gz', { kind: 'path', path: '/srv/tools/weather.tar.gz' }],
    ['weather.zip', { kind: 'path', path: 'weather.zip' }],
    [`weather.zip#sha256=${hash.toUpperCase()}`, { kind: 'path', path: 'weather.zip', sha256: hash }],
    ['https://example.com/w.tgz?v=1', { kind: 'url', url: 'https://example.com/w.tgz?v=1' }],
    ['http://127.0.0.1:8080/w.tgz', { kind: 'url', url: 'http://127.0.0.1:8080/w.tgz' }],
    ['http://localhost/w.tgz', { kind: 'url', url: 'http://localhost/w.tgz' }],
    ['github.com/ada/weather', { kind: 'git', url: 'https://github.com/ada/weather' }],
    ['github.com/ada/weather@v1.2', { kind: 'git', url: 'https://github.com/ada/weather', ref: 'v1.2' }],
    [
      'github.com/ada/tools@main//weather',
      { kind: 'git', url: 'https://github.com/ada/tools', ref: 'main', folder: 'weather' },
    ],
    [
      `git::https://example.com/tools.git@feature/new//a/b#sha256=${hash}`,
      {
        kind: 'git',
        url: 'https://example.com/tools.git',
        ref: 'feature/new',
        folder: 'a/b',
        sha256: hash,
      },
    ],
    [
      'git::ssh://git@example.com:2222/t.git@v1',
      { kind: 'git', url: 'ssh://git@example.com:2222/t.git', ref: 'v1' },
    ],
    ['git::git@example.com:ada/t.git@v1', { kind: 'git', url: 'git@example.com:ada/t.git', ref: 'v1' }],
    ['git::git@example.com:ada/t.git', { kind: 'git', url: 'git@example.com:ada/t.git' }],
    ['git::file:///srv/t.git//sub/', { kind: 'git', url: 'file:///srv/t.git', folder: 'sub' }],
    ['npm:weather', { kind: 'npm', name: 'weather', version: 'latest' }],
    ['npm:@ada/weather@1.2.3-rc.1', { kind: 'npm', name: '@ada/weather', version: '1.2.3-rc.1' }],
    ['s3::tools/weather.tar.gz', { kind: 's3', place: 'tools/weather.tar.gz' }],
  ])('%s', (text, parsed) => {
    expect(parseSource(text)).toEqual(parsed)
  })

  it.each([
    ['', /a source is/],
    ['a\nb', /a source is/],
    ['-rf', /a source is/],
    ['ftp://example.com/w.tgz', /a source is/],
    ['file:///etc/passwd', /a source is/],
    ['ext::sh -c id', /a source is/],
    ['weather.zip#sha256=abc', /64 hexadecimal/],
    ['weather.zip#main', /64 hexadecimal/],
    ['http://example.com/w.tgz', /use https/],
    ['http://127.0.0.1.example.com/w.tgz', /use https/],
    ['https://ada:secret@example.com/w.tgz', /password/],
    ['git::http://example.com/t.git', /use https/],
    ['git::https://ada:secret@example.com/t.git', /address must stand/],
    ['git::ext::sh -c id', /address must stand/],
    ['git::-oProxyCommand=id', /address must stand/],
    ['git::--upload-pack=id', /address must stand/],
    ['git::ssh://-oProxyCommand=id/t', /address must stand|"-"/],
    ['git::-u@example.com:t', /address must stand|"-"/],
    ['git::git@-example.com:t', /"-"/],
    ['git::file://host/t.git', /address must stand/],
    ['git::https://example.com/t@--upload-pack=id', /tag, a branch/],
    ['git::https://example.com/t@a..b', /tag, a branch/],
    ['git::https://example.com/t@HEAD^{tree}', /tag, a branch/],
    ['git::https://example.com/t//../up', /leads out/],
    ['git::https://example.com/t//.git', /git directory/],
    ['npm:../weather', /name must stand/],
    ['npm:weather@file:../x', /name must stand/],
    ['npm:weather@git+ssh://example.com/x', /name must stand/],
    ['npm:weather@https://example.com/x.tgz', /name must stand/],
    ['npm:--registry=x', /name must stand/],
    ['npm:weather@--x', /name must stand/],
  ])('is not %j', (text, why) => {
    expect(() => parseSource(text)).toThrow(why)
  })
})
