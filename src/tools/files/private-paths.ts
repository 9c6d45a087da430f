/**
 * Keys and logins that people have in their home folder. Whoever works in a folder around them, or in the home folder
 * itself, does not mean to show them: they are there only for a grant that names them.
 */

import { join } from 'node:path'

import { grantsPath, type PathGrant } from './path-grants.ts'
import { namesOf } from './path-pattern.ts'

const privateNames = [
  '.ssh',
  '.gnupg',
  '.password-store',
  '.local/share/keyrings',
  '.netrc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.npmrc',
  '.pypirc',
  '.vault-token',
  '.cargo/credentials.toml',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.config/google-chrome',
  '.config/chromium',
  '.mozilla',
  '.claude.json',
  '.claude/.credentials.json',
  // What other agents were told and said, and how they are instructed.
  '.claude/projects',
  '.claude/agents',
  '.local/share/opencode',
]

/** Those that none of the grants names, as `~/.aws/**` does; a wildcard from further up names nothing. */
export function privatePaths(home: string, grants: readonly PathGrant[]): string[] {
  const depth = namesOf(home).length
  return privateNames
    .map((name) => join(home, name))
    .filter((path) => !grants.some((grant) => grant.pattern.names.length > depth && grantsPath(grant, path)))
}
