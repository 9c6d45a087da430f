import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { openRecords } from '../../compose.ts'
import { rulesFrom } from './load-user-rules.ts'
import { openScrubber, type OpenScrubber, type OpenScrubberOptions } from './open-scrubber.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const rule = (name: string): string => `[[rules]]\nid = "${name}"\nregex = "${name}_[a-z0-9]{12}"\n`
const token = (name: string): string =>
  makeSample(`${name}_{lower:12}`, seededRandom(name.charCodeAt(0))).text

const open = (options: Partial<OpenScrubberOptions> = {}): Promise<OpenScrubber> =>
  openScrubber({ env: home.env, cwd: home.project, ...options })

async function scrub(text: string, options: Partial<OpenScrubberOptions> = {}): Promise<string> {
  const { scrubber } = await open(options)
  return scrubber.scrub(text, { tenant: 't', session: 's' }).text
}

const trustProjectRules = (text: string): void => {
  writeFileSync(join(home.project, '.gitleaks.toml'), text)
  const records = openRecords(home.env)
  records.trust.trust(join(home.project, '.gitleaks.toml'), Buffer.from(text))
  records.close()
}

describe('rules', () => {
  const all = ['user', 'once', 'proj'].map(token).join(' ')

  it('are only ours without a file', async () => {
    const pat = makeSample('ghp_{alnum:36}', seededRandom(6)).text
    expect(await scrub(`${all} ${pat}`)).toBe(`${all} [SECRET_1]`)
    expect(await open()).toMatchObject({ warnings: [] })
  })

  it('come from the configured file, relative to the configuration folder', async () => {
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
    home.write('config/own.toml', rule('user'))
    expect(await scrub(all)).toBe(all.replace(token('user'), '[SECRET_1]'))
  })

  it('come from an additional file, relative to the current folder', async () => {
    home.write('project/once.toml', rule('once'))
    expect(await scrub(all, { rulesFile: 'once.toml' })).toBe(all.replace(token('once'), '[SECRET_1]'))
  })

  it('come from the project once it is trusted', async () => {
    home.write('project/.gitleaks.toml', rule('proj'))
    expect(await scrub(all)).toBe(all)
    expect((await open()).ignored?.why).toContain('not trusted')
    trustProjectRules(rule('proj'))
    expect(await scrub(all)).toBe(all.replace(token('proj'), '[SECRET_1]'))
    home.write('project/.gitleaks.toml', `${rule('proj')}\n`)
    expect(await scrub(all)).toBe(all)
  })

  it('come from all of them together', async () => {
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
    home.write('config/own.toml', rule('user'))
    home.write('project/once.toml', rule('once'))
    trustProjectRules(rule('proj'))
    expect(await scrub(all, { rulesFile: 'once.toml' })).toBe('[SECRET_1] [SECRET_2] [SECRET_3]')
  })

  it('come from extended files, each relative to the previous one', async () => {
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
    home.write('config/own.toml', `[extend]\npath = "deep/base.toml"\n${rule('user')}`)
    home.write('config/deep/base.toml', `[extend]\npath = "../last.toml"\n${rule('once')}`)
    home.write('config/last.toml', rule('proj'))
    expect(await scrub(all)).toBe('[SECRET_1] [SECRET_2] [SECRET_3]')
  })

  it('are the same when another thread loads them again', async () => {
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
    home.write('config/own.toml', `[extend]\npath = "deep/base.toml"\n${rule('user')}`)
    home.write('config/deep/base.toml', `[extend]\npath = "../last.toml"\n${rule('once')}`)
    home.write('config/last.toml', rule('proj'))
    const { rules, sources = [] } = await open()
    rmSync(join(home.project, '../config'), { recursive: true })
    const again = await rulesFrom(structuredClone(sources))
    expect(again?.find(all)).toEqual(rules?.find(all))
    expect(again?.find(all)).toHaveLength(3)
    expect(await rulesFrom([])).toBeUndefined()
  })
})

describe('allowlists', () => {
  const pat = makeSample('ghp_{alnum:36}', seededRandom(7)).text
  const off = '[extend]\nuseDefault = true\ndisabledRules = ["github-pat"]\n'

  it("apply from the user's own file, and only if enabled", async () => {
    home.write('config/own.toml', off)
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
    expect(await scrub(pat)).toBe('[SECRET_1]')
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\nallowlists = true\n')
    expect(await scrub(pat)).toBe(pat)
  })

  it('never apply from a project, trusted or not', async () => {
    home.write('config/config.toml', '[scrub]\nallowlists = true\n')
    trustProjectRules(off)
    expect((await open()).rules?.list).toEqual([])
    expect(await scrub(pat)).toBe('[SECRET_1]')
  })
})

describe('an unusable file', () => {
  test.each([
    ['broken', '[[rules]]\nid = "a"\nregex = "("\n', /own\.toml:\d+: /],
    ['missing', undefined, /own\.toml: does not exist/],
    ['no text', Buffer.from([0x61, 0xff]), /own\.toml: is not UTF-8 text/],
  ])('is an error: %s', async (_, bytes, message) => {
    const file = home.write('config/own.toml', '')
    home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
    if (bytes === undefined) rmSync(file)
    else writeFileSync(file, bytes)
    await expect(open()).rejects.toThrow(message)
    home.write('config/own.toml', rule('user'))
    await expect(open()).resolves.toBeDefined()
  })

  it('is an error in the project too, once it is trusted', async () => {
    trustProjectRules('[[rules]]\nid = "a"\nregex = "("\n')
    await expect(open()).rejects.toThrow(/\.gitleaks\.toml:3: /)
  })

  it('is a warning if a project extends an untrusted file', async () => {
    home.write('project/more.toml', rule('user'))
    trustProjectRules(`[extend]\npath = "more.toml"\n${rule('proj')}`)
    const { warnings, rules } = await open()
    expect(rules?.list.map(({ id }) => id)).toEqual(['proj'])
    expect(warnings).toEqual([expect.stringContaining('"more.toml", which is not read')])
  })

  it('may be the configuration itself', async () => {
    home.write('config/config.toml', '[scrub]\nrulesfile = "own.toml"\n')
    await expect(open()).rejects.toThrow('there is no key scrub.rulesfile; did you mean scrub.rules_file?')
  })
})
