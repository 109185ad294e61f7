import type { Migration } from './database.js';

/** The schema of slipway.db. Append only. Times are RFC 3339 in UTC; `*_json` columns contain JSON. */
export const migrations: readonly Migration[] = [
  `
  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    runtime TEXT NOT NULL,
    cluster TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued','running','succeeded','failed','cancelled','interrupted')),
    input_json TEXT NOT NULL,
    steps_json TEXT NOT NULL,
    progress_percent REAL NOT NULL DEFAULT 0,
    progress_step TEXT,
    warnings_json TEXT NOT NULL DEFAULT '[]',
    error_json TEXT,
    result_json TEXT,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT
  ) STRICT;

  -- One active job per cluster.
  CREATE UNIQUE INDEX jobs_one_active_per_cluster ON jobs (runtime, cluster) WHERE state IN ('queued','running');
  -- A name belongs to one engine, so two engines cannot create a cluster of the same name either.
  CREATE UNIQUE INDEX jobs_one_active_create_per_name ON jobs (cluster) WHERE kind = 'create' AND state IN ('queued','running');
  CREATE INDEX jobs_by_state ON jobs (state);

  CREATE TABLE job_log (
    job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (job_id, sequence)
  ) STRICT, WITHOUT ROWID;

  -- Running process groups of a job, to be killed after a crash.
  CREATE TABLE job_processes (
    job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (job_id, pid)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    cluster TEXT,
    subject TEXT,
    outcome TEXT NOT NULL CHECK (outcome IN ('started','succeeded','failed','cancelled','interrupted')),
    message TEXT NOT NULL,
    job_id INTEGER,
    duration_ms INTEGER
  ) STRICT;
  CREATE INDEX journal_by_cluster ON journal (cluster);
  `,
  `
  -- A clone also creates a cluster with a new name.
  DROP INDEX jobs_one_active_create_per_name;
  CREATE UNIQUE INDEX jobs_one_active_create_per_name ON jobs (cluster) WHERE kind IN ('create','clone') AND state IN ('queued','running');
  `,
  // Two engines may have clusters with the same name.
  `
  ALTER TABLE journal ADD COLUMN runtime TEXT;
  UPDATE journal SET runtime = (SELECT runtime FROM jobs WHERE jobs.id = journal.job_id);
  `,
  `
  -- The entry of a cluster in the user's kubeconfig, identified by its certificate authority.
  CREATE TABLE kubeconfig_entries (
    runtime TEXT NOT NULL,
    cluster TEXT NOT NULL,
    file TEXT NOT NULL,
    context TEXT NOT NULL,
    authority TEXT NOT NULL,
    PRIMARY KEY (runtime, cluster)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    cookie_hash TEXT NOT NULL UNIQUE,
    username TEXT NOT NULL,
    generation TEXT NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    ended_at TEXT,
    end_reason TEXT
  ) STRICT, WITHOUT ROWID;

  -- For single use in the URL of a WebSocket.
  CREATE TABLE socket_tickets (
    hash TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sealed_secrets (
    name TEXT PRIMARY KEY,
    sealed TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Chart repositories; a password is sealed under the repository's name.
  CREATE TABLE chart_repositories (
    name TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    username TEXT,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Where the chart of a release came from, which helm does not record. Source: 'catalogue', 'uploaded' or a repository.
  CREATE TABLE addon_sources (
    runtime TEXT NOT NULL,
    cluster TEXT NOT NULL,
    namespace TEXT NOT NULL,
    release TEXT NOT NULL,
    source TEXT NOT NULL,
    chart TEXT NOT NULL,
    PRIMARY KEY (runtime, cluster, namespace, release)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE log_source_settings (
    key TEXT PRIMARY KEY,
    left_out INTEGER NOT NULL DEFAULT 0,
    -- Microseconds since the epoch.
    deleted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE saved_searches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    query TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;

  -- URL and secret of a webhook are sealed under the alert's id.
  CREATE TABLE alerts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    enabled INTEGER NOT NULL,
    query_json TEXT NOT NULL,
    sources_json TEXT NOT NULL,
    threshold INTEGER NOT NULL,
    window_seconds INTEGER NOT NULL,
    quiet_seconds INTEGER NOT NULL,
    browser INTEGER NOT NULL,
    webhook INTEGER NOT NULL,
    problem TEXT,
    last_fired_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT;

  -- Includes the webhook delivery: a pending one is retried after a restart.
  CREATE TABLE alert_firings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    alert_id INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    time TEXT NOT NULL,
    test INTEGER NOT NULL,
    count INTEGER NOT NULL,
    sample_json TEXT,
    delivery TEXT NOT NULL CHECK (delivery IN ('none','waiting','delivered','failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    status INTEGER,
    error TEXT,
    next_attempt_at TEXT
  ) STRICT;
  CREATE INDEX alert_firings_by_alert ON alert_firings (alert_id, id);
  CREATE INDEX alert_firings_waiting ON alert_firings (next_attempt_at) WHERE delivery = 'waiting';
  `,
  // Source ids change when their history is deleted; a link to the line of a firing uses the source's key.
  `
  ALTER TABLE alert_firings ADD COLUMN source_key TEXT;
  `,
  // The journal is the audit log: it records actors, and an entry is final once its operation has ended.
  `
  ALTER TABLE journal ADD COLUMN actor_kind TEXT;
  ALTER TABLE journal ADD COLUMN actor_user TEXT;
  ALTER TABLE journal ADD COLUMN actor_id TEXT;
  ALTER TABLE journal ADD COLUMN actor_name TEXT;
  ALTER TABLE journal ADD COLUMN actor_address TEXT;
  CREATE INDEX journal_by_time ON journal (time);
  CREATE TRIGGER journal_ended_is_final BEFORE UPDATE ON journal WHEN OLD.outcome <> 'started'
  BEGIN SELECT RAISE(ABORT, 'a journal entry whose operation has ended cannot be changed'); END;

  -- One row. Only retention deletes entries, up to this id.
  CREATE TABLE journal_retention (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    through INTEGER NOT NULL
  ) STRICT;
  INSERT INTO journal_retention (id, through) VALUES (1, 0);
  CREATE TRIGGER journal_deleted_by_retention BEFORE DELETE ON journal WHEN OLD.id > (SELECT through FROM journal_retention)
  BEGIN SELECT RAISE(ABORT, 'only retention deletes journal entries'); END;

  -- The actor of a job, for its journal entry: the job may run long after the request, and in another process.
  ALTER TABLE jobs ADD COLUMN actor_json TEXT;
  `,
  `
  -- Milliseconds since the epoch. The creation is the time in which the job's provisioner ran.
  ALTER TABLE jobs ADD COLUMN alive_at INTEGER;
  ALTER TABLE jobs ADD COLUMN creation_began_at INTEGER;
  ALTER TABLE jobs ADD COLUMN creation_ended_at INTEGER;
  ALTER TABLE jobs ADD COLUMN clock_offset_ms INTEGER NOT NULL DEFAULT 0;

  -- Containers by id and volumes by name that a job created or is going to delete.
  CREATE TABLE job_objects (
    job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('create','delete')),
    type TEXT NOT NULL CHECK (type IN ('container','volume')),
    id TEXT NOT NULL,
    node TEXT NOT NULL,
    PRIMARY KEY (job_id, purpose, type, id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Only the hash of an access token is stored. A new password ends its generation, like that of sessions.
  CREATE TABLE access_tokens (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    generation TEXT NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('read','full')),
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    last_used_at TEXT
  ) STRICT, WITHOUT ROWID;

  -- Tickets expire after 30 s, so none has to be migrated.
  DROP TABLE socket_tickets;
  CREATE TABLE socket_tickets (
    hash TEXT PRIMARY KEY,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    token_id TEXT REFERENCES access_tokens (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL,
    CHECK ((session_id IS NULL) <> (token_id IS NULL))
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Port-forwards of a cluster, opened again at start. The port is a number or a name.
  CREATE TABLE forwards (
    id TEXT PRIMARY KEY,
    runtime TEXT NOT NULL,
    cluster TEXT NOT NULL,
    plural TEXT NOT NULL,
    namespace TEXT NOT NULL,
    object TEXT NOT NULL,
    port TEXT NOT NULL,
    protocol TEXT CHECK (protocol IN ('tcp','http','https')),
    local_port INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Nodes of each engine as Slipway last saw them, to find what changed while it was not running. Milliseconds since the
  -- epoch. An engine at another address may be another engine.
  CREATE TABLE seen_nodes (
    runtime TEXT PRIMARY KEY,
    address TEXT,
    seen_at INTEGER NOT NULL,
    nodes_json TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The origin of the page of a port-forward, for one target alone, and hosts that may use its port.
  ALTER TABLE forwards ADD COLUMN origin TEXT;
  ALTER TABLE forwards ADD COLUMN cluster_uid TEXT;
  ALTER TABLE forwards ADD COLUMN hosts_json TEXT NOT NULL DEFAULT '[]';
  `,
  `
  -- What a job does, and its outcome once it has ended: of earlier jobs from the journal, unless retention deleted it.
  ALTER TABLE jobs ADD COLUMN title TEXT NOT NULL DEFAULT '';
  ALTER TABLE jobs ADD COLUMN message TEXT;
  UPDATE jobs SET title = upper(substr(kind, 1, 1)) || replace(substr(kind, 2), '-', ' ') || ': ' || coalesce(nullif(cluster, ''), runtime);
  UPDATE jobs SET message = coalesce(json_extract(error_json, '$.message'), upper(substr(state, 1, 1)) || substr(state, 2) || '.')
  WHERE state NOT IN ('queued','running');
  UPDATE jobs SET message = ended.message
  FROM (SELECT job_id, message, max(id) FROM journal WHERE outcome <> 'started' GROUP BY job_id) AS ended
  WHERE ended.job_id = jobs.id AND jobs.message IS NOT NULL;
  `,
  `
  -- What does not work after a job that installed or created something.
  ALTER TABLE jobs ADD COLUMN problems_json TEXT NOT NULL DEFAULT '[]';
  `,
  `
  -- The first entry of the same kind that the same request recorded; null for that entry itself.
  ALTER TABLE journal ADD COLUMN group_id INTEGER;
  CREATE INDEX journal_by_group ON journal (group_id) WHERE group_id IS NOT NULL;

  -- What a change changed, at most 8 kB without secrets. A table of its own, so that lists and searches do not read it.
  CREATE TABLE journal_diffs (
    entry_id INTEGER PRIMARY KEY REFERENCES journal (id) ON DELETE CASCADE,
    before TEXT,
    after TEXT NOT NULL,
    first_line INTEGER NOT NULL,
    truncated INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER journal_diff_is_final BEFORE UPDATE ON journal_diffs
  BEGIN SELECT RAISE(ABORT, 'a diff in the journal cannot be changed'); END;
  `,
  `
  -- The access token with which a display was opened; null for the session of a user. It ends with the token.
  ALTER TABLE sessions ADD COLUMN token_id TEXT REFERENCES access_tokens (id) ON DELETE CASCADE;
  `,
  `
  -- Clusters of kubeconfigs: where the context is, and what the user decided. A pasted kubeconfig is in sealed_secrets.
  CREATE TABLE external_clusters (
    name TEXT PRIMARY KEY,
    context TEXT NOT NULL,
    file TEXT,
    color TEXT NOT NULL,
    note TEXT NOT NULL,
    namespaces_json TEXT NOT NULL,
    history_json TEXT NOT NULL,
    changes_allowed INTEGER NOT NULL,
    consent TEXT,
    identity TEXT NOT NULL,
    notice TEXT,
    added_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Scope read: a display, or a session of the read-only password. Without password_at, a link started the session.
  ALTER TABLE sessions ADD COLUMN scope TEXT NOT NULL DEFAULT 'full' CHECK (scope IN ('read','full'));
  ALTER TABLE sessions ADD COLUMN password_at TEXT;
  UPDATE sessions SET scope = 'read' WHERE token_id IS NOT NULL;
  `,
];
