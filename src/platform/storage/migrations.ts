/** Forward only: a shipped migration is never edited; every change is a new entry. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    id TEXT NOT NULL, door TEXT NOT NULL, client TEXT NOT NULL,
    started_at INTEGER NOT NULL, ended_at INTEGER,
    PRIMARY KEY (tenant, project, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE agent_tokens (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    id TEXT NOT NULL, hash BLOB NOT NULL, label TEXT NOT NULL,
    created_at INTEGER NOT NULL, used_at INTEGER, revoked_at INTEGER,
    PRIMARY KEY (tenant, id), UNIQUE (tenant, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE refs (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    id TEXT NOT NULL, body BLOB NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, project, session, agent, id)
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
  CREATE TABLE vault (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    call TEXT NOT NULL, created_at INTEGER NOT NULL, nonce BLOB NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (tenant, call)
  ) STRICT;
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, call TEXT, intent INTEGER,
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    user TEXT NOT NULL, client TEXT, client_version TEXT, door TEXT, instance TEXT, level TEXT,
    method TEXT, server TEXT, tool TEXT, target_server TEXT, target_tool TEXT, decision TEXT, rule TEXT,
    deadline INTEGER, duration_ms INTEGER,
    arguments TEXT, output TEXT, output_sha256 TEXT, output_bytes INTEGER, tokens INTEGER,
    found_c1 INTEGER, found_c2 INTEGER, findings TEXT, notes TEXT, error TEXT, event TEXT, details TEXT,
    hash BLOB NOT NULL
  ) STRICT;
  CREATE INDEX audit_intent ON audit (intent) WHERE intent IS NOT NULL;
  CREATE INDEX audit_event ON audit (event) WHERE event IS NOT NULL;
  CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'audit records are never changed');
  END;
  CREATE VIEW audit_entries AS SELECT * FROM audit AS record WHERE kind <> 'intent' OR NOT EXISTS (
    SELECT 1 FROM audit WHERE intent = record.seq AND tenant = record.tenant
  );
  `,
  `
  CREATE TABLE secrets (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, mac BLOB NOT NULL, kind TEXT NOT NULL, rule TEXT NOT NULL,
    nonce BLOB NOT NULL, body BLOB NOT NULL,
    created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, expires_at INTEGER,
    UNIQUE (tenant, id), UNIQUE (tenant, mac)
  ) STRICT;
  CREATE INDEX secrets_seen ON secrets (tenant, seen_at);
  CREATE TABLE secret_tokens (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    n INTEGER NOT NULL, secret TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, session, n), UNIQUE (tenant, session, secret)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE approvals (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    tool TEXT NOT NULL, sha256 TEXT NOT NULL, capabilities TEXT NOT NULL, approved_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, project, session, tool)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE pins (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    server TEXT NOT NULL, tool TEXT NOT NULL, sha256 TEXT NOT NULL, definition TEXT NOT NULL, pinned_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, project, server, tool)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sign_ins (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    server TEXT NOT NULL, nonce BLOB NOT NULL, body BLOB NOT NULL, changed_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, server)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE sessions ADD COLUMN client_session TEXT;
  CREATE INDEX sessions_of_client ON sessions (tenant, project, client_session) WHERE client_session IS NOT NULL;
  CREATE TABLE private_contexts (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, instance TEXT, mac BLOB NOT NULL, nonce BLOB NOT NULL, body BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (tenant, session, agent, instance, mac)
  ) STRICT;
  `,
  `
  ALTER TABLE refs ADD COLUMN branch TEXT NOT NULL DEFAULT '';
  CREATE TABLE memories (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, scope TEXT NOT NULL, branch TEXT,
    title TEXT NOT NULL, description TEXT NOT NULL, content TEXT NOT NULL, outcome TEXT NOT NULL,
    task TEXT NOT NULL, tags TEXT NOT NULL, sources TEXT NOT NULL,
    helped REAL NOT NULL, misled REAL NOT NULL,
    created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, used_at INTEGER, merged_into TEXT,
    vector_model TEXT, vector_dimension INTEGER,
    UNIQUE (tenant, id)
  ) STRICT;
  CREATE INDEX memories_of ON memories (tenant, scope, project, seq);
  CREATE VIRTUAL TABLE memory_words USING fts5(
    title, description, task, tags, content,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61'
  );
  CREATE TABLE memory_feedback (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, memory TEXT NOT NULL, helpful INTEGER NOT NULL, outcome TEXT,
    comment TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX memory_feedback_of ON memory_feedback (tenant, memory);
  CREATE TABLE vectors (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    kind TEXT NOT NULL, row INTEGER NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, changed INTEGER NOT NULL,
    PRIMARY KEY (kind, row)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX vectors_changed ON vectors (tenant, kind, changed);
  CREATE TABLE vector_sets (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    kind TEXT NOT NULL, id TEXT NOT NULL, changed INTEGER NOT NULL, removed INTEGER NOT NULL,
    PRIMARY KEY (tenant, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE checkpoints (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, branch TEXT, name TEXT NOT NULL,
    summary TEXT NOT NULL, tokens TEXT NOT NULL, automatic INTEGER NOT NULL, created_at INTEGER NOT NULL,
    offered_at INTEGER, state_bytes INTEGER NOT NULL,
    files TEXT NOT NULL, branches TEXT NOT NULL, refs TEXT NOT NULL, context TEXT NOT NULL, state BLOB NOT NULL,
    UNIQUE (tenant, id)
  ) STRICT;
  CREATE INDEX checkpoints_of ON checkpoints (tenant, project, seq);
  CREATE TABLE branches (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, parent TEXT, depth INTEGER NOT NULL,
    opener TEXT NOT NULL, worker TEXT, description TEXT NOT NULL, prompt TEXT NOT NULL,
    budget INTEGER NOT NULL, used INTEGER NOT NULL, produced INTEGER NOT NULL, state TEXT NOT NULL,
    message TEXT NOT NULL, created_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, ended_at INTEGER,
    UNIQUE (tenant, id)
  ) STRICT;
  CREATE INDEX branches_open ON branches (tenant, session) WHERE ended_at IS NULL;
  CREATE TABLE indexed_files (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL, sha256 BLOB NOT NULL, size INTEGER NOT NULL,
    changed_ms REAL NOT NULL, language TEXT NOT NULL, indexed_at INTEGER NOT NULL,
    UNIQUE (tenant, project, path)
  ) STRICT;
  CREATE TABLE chunks (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, name TEXT NOT NULL,
    first_line INTEGER NOT NULL, last_line INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX chunks_of ON chunks (file);
  CREATE VIRTUAL TABLE chunk_words USING fts5(
    path, name, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
  );
  `,
  `
  CREATE TABLE certificates (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    serial TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, fingerprint TEXT NOT NULL,
    authority TEXT NOT NULL, not_before INTEGER NOT NULL, not_after INTEGER NOT NULL,
    created_at INTEGER NOT NULL, revoked_at INTEGER,
    PRIMARY KEY (tenant, serial)
  ) STRICT;
  CREATE TABLE webhooks (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    id TEXT NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL, secret BLOB NOT NULL,
    created_at INTEGER NOT NULL, seen INTEGER NOT NULL, disabled_at INTEGER, disabled_why TEXT,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  CREATE TABLE webhook_deliveries (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, webhook TEXT NOT NULL, event TEXT NOT NULL,
    body TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL,
    last_problem TEXT, created_at INTEGER NOT NULL, ended_at INTEGER,
    UNIQUE (tenant, id)
  ) STRICT;
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant, state, next_at);
  `,
  `
  CREATE TABLE model_keys (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    id TEXT NOT NULL, client TEXT NOT NULL, hash BLOB NOT NULL, created_at INTEGER NOT NULL, used_at INTEGER,
    revoked_at INTEGER,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  CREATE TABLE model_usage (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    day TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, requests INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL,
    PRIMARY KEY (tenant, day, session, agent, provider, model)
  ) STRICT;
  CREATE INDEX model_usage_of ON model_usage (tenant, session);
  CREATE TABLE model_restores (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    tool_use TEXT NOT NULL, tokens TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, session, tool_use)
  ) STRICT;
  CREATE TABLE agent_instances (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    client_session TEXT NOT NULL, instance TEXT NOT NULL, seen_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, client_session, instance)
  ) STRICT;
  CREATE INDEX sessions_by_client_session ON sessions (tenant, client_session) WHERE client_session IS NOT NULL;
  `,
]
