import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
  folders.trust()
})
afterEach(() => folders.remove())

const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard' }] }] }

/** A plugin with one of each part. */
function kit(folder: string, name: string): Record<string, string | object> {
  return {
    [`${folder}/.claude-plugin/plugin.json`]: { name },
    [`${folder}/.mcp.json`]: { ctx: { command: name } },
    [`${folder}/hooks/hooks.json`]: { hooks },
    [`${folder}/agents/scan.md`]: '---\nname: scan\n---\nbody',
    [`${folder}/skills/in/SKILL.md`]: 'body',
  }
}

const [ofProject, ofUser] = ['project/.claude/skills/kit', 'home/.claude/skills/kit']
const both = { ...kit(ofProject, 'own'), ...kit(ofUser, 'mine') }
const ids = (): string[] => folders.read().plugins.map(({ id }) => id)

describe('plugins in skill folders', () => {
  it('provide servers, hooks, agents and skills', () => {
    folders.write(kit(ofProject, 'own'))
    const { plugins, servers, hooks: hooksFound, agents, skills, missingPlugins } = folders.read()
    const file = join(folders.path, ofProject, '.claude-plugin', 'plugin.json')
    expect(plugins).toMatchObject([{ id: 'own@skills-dir', name: 'own', file, line: 1 }])
    expect(servers).toMatchObject([{ prefix: 'mcp__plugin_own_ctx', owner: 'own' }])
    expect(hooksFound).toMatchObject([{ source: 'plugin', owner: 'own' }])
    expect(agents).toMatchObject([{ name: 'own:scan' }])
    expect(skills).toMatchObject([{ name: 'own:in' }])
    expect(missingPlugins).toEqual([])
  })

  it('are also skills if they have a skill file, and only under their own name', () => {
    folders.write({
      [`${ofProject}/.claude-plugin/plugin.json`]: { name: 'own' },
      [`${ofProject}/SKILL.md`]: 'body',
    })
    expect(folders.read().skills.map(({ name }) => name)).toEqual(['kit'])
  })

  it('are reported if their manifest is empty or a broken link', () => {
    const manifest = `${ofProject}/.claude-plugin/plugin.json`
    const problemTexts = (): string[] =>
      folders.read().problems.map(({ file, message }) => `${file} ${message}`)
    folders.write({ [manifest]: ' \n' })
    expect(ids()).toEqual([])
    expect(problemTexts()).toEqual([expect.stringMatching(/plugin\.json The file is empty/)])
    rmSync(join(folders.path, manifest))
    expect([ids(), problemTexts()]).toEqual([[], []])
    for (const target of ['nowhere', 'plugin.json']) {
      symlinkSync(target, join(folders.path, manifest))
      expect(ids()).toEqual([])
      expect(problemTexts()).toEqual([expect.stringMatching(/plugin\.json The file is a broken link/)])
      rmSync(join(folders.path, manifest))
    }
    folders.write({ [manifest]: { name: 'own' } })
    expect([ids(), problemTexts()]).toEqual([['own@skills-dir'], []])
  })

  it('of the project are loaded once it is trusted, those of the user always', () => {
    folders.write(both)
    expect(ids()).toEqual(['mine@skills-dir', 'own@skills-dir'])
    folders.write({ 'home/.claude.json': {} })
    expect(ids()).toEqual(['mine@skills-dir'])
  })

  it('are overridden by installed ones and by those from the start flag', () => {
    folders.write({ ...kit(ofProject, 'own'), ...kit('plugins/own', 'own') })
    const { plugins } = folders.read({ pluginFolders: [join(folders.path, 'plugins', 'own')] })
    expect(plugins.map(({ id }) => id)).toEqual(['own@inline'])
  })

  it('of the user override those of the project', () => {
    folders.write({ ...kit(ofProject, 'same'), ...kit(ofUser, 'same') })
    expect(folders.read().plugins.map(({ folder }) => folders.short(folder))).toEqual([ofUser])
  })

  it.each([
    ['own@skills-dir', ['mine@skills-dir']],
    ['kit@skills-dir', ['mine@skills-dir', 'own@skills-dir']],
  ])('are disabled by their ids (%s)', (id, left) => {
    folders.write({ ...both, 'home/.claude/settings.json': { enabledPlugins: { [id]: false } } })
    expect(ids()).toEqual(left)
  })

  it.each([
    { strictKnownMarketplaces: [] },
    { blockedMarketplaces: [{ source: 'skills-dir' }] },
    { strictPluginOnlyCustomization: true },
    { strictPluginOnlyCustomization: ['mcp'] },
    { enabledPlugins: { 'own@market': true, 'Mine@market': false } },
  ])('can be disabled by managed settings: %j', (settings) => {
    folders.write({ ...both, 'managed/managed-settings.json': settings })
    expect(ids()).toEqual([])
  })

  it.each([
    { strictKnownMarketplaces: [{ source: 'skills-dir' }] },
    { blockedMarketplaces: [{ source: 'npm' }] },
    { strictPluginOnlyCustomization: false },
    { enabledPlugins: { 'other@market': false } },
  ])('can be permitted by managed settings: %j', (settings) => {
    folders.write({ ...both, 'managed/managed-settings.json': settings })
    expect(ids()).toEqual(['mine@skills-dir', 'own@skills-dir'])
  })

  it('linked from outside the project start no servers', () => {
    folders.write({ ...kit('outside/kit', 'out'), ...kit('project/inside/kit', 'in') })
    folders.link({
      'project/.claude/skills/a': join(folders.path, 'outside', 'kit'),
      'project/.claude/skills/b': join(folders.path, 'project', 'inside', 'kit'),
    })
    const { servers, agents } = folders.read()
    expect(agents.map(({ name }) => name)).toEqual(['out:scan', 'in:scan'])
    expect(servers.map(({ owner }) => owner)).toEqual(['in'])
  })
})
