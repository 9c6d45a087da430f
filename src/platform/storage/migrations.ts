/** Forward only: a migration that has shipped is never edited, the next change is a new entry. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    door TEXT NOT NULL, client TEXT NOT NULL,
    started_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, ended_at INTEGER
  ) STRICT;
  CREATE TABLE agent_tokens (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE, label TEXT NOT NULL,
    created_at INTEGER NOT NULL, used_at INTEGER, revoked_at INTEGER
  ) STRICT;
  CREATE TABLE refs (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    body BLOB NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX refs_expiry ON refs (expires_at);
  CREATE TABLE usage (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (tenant, project, session, agent)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE trust (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    path TEXT NOT NULL, sha256 TEXT NOT NULL, trusted_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, path)
  ) STRICT, WITHOUT ROWID;
  `,
]
