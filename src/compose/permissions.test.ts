import { afterEach, beforeEach, expect, it } from 'vitest'

import { lintPermissions } from '@contextd/permissions'
import { makeTempHome, type TempHome } from '../../test/support/temp-home.ts'
import { lintWithUserRules } from './permissions.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

it('masks secrets in findings that only a user rule detects', async () => {
  home.write('config/own.toml', '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\n')
  home.write('config/config.toml', '[scrub]\nrules_file = "own.toml"\n')
  home.write(
    'project/.claude/settings.json',
    '{"permissions": {"deny": ["mcp__db__drop(acme_0123456789ab)"]}}',
  )
  const reading = { env: home.env, cwd: home.project }
  const messages = async (lint: typeof lintPermissions): Promise<string> =>
    (await lint(reading)).map(({ message }) => message).join()
  expect(await messages(lintPermissions)).toContain('acme_0123456789ab')
  expect(await messages(lintWithUserRules)).toContain('`mcp__db__drop([SECRET])`')
})
