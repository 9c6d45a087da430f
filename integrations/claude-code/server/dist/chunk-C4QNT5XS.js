import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as v}from"./chunk-4VD5AMUK.js";import{d as u}from"./chunk-FPUCFWLJ.js";import{chmodSync as Z,closeSync as ee,mkdirSync as te,openSync as ne,statSync as oe}from"node:fs";import{dirname as se}from"node:path";var q=5,G=15,C=[{code:3,words:"access permission denied",cause:"access was denied"},{code:q,words:"database is locked",cause:"another process kept it locked for too long"},{code:6,words:"database table is locked",cause:"it is locked by another statement of this process"},{code:8,words:"attempt to write a readonly database",cause:"the file or its folder is read-only"},{code:10,words:"disk I/O error",cause:"reading or writing the file failed"},{code:11,words:"database disk image is malformed",cause:"the file is damaged"},{code:13,words:"database or disk is full",cause:"the disk is full"},{code:14,words:"unable to open database file",cause:"the file cannot be opened"},{code:G,words:"locking protocol",cause:"other processes kept it locked for too long"},{code:26,words:"file is not a database",cause:"the file is damaged, or is not a database"}],V={EACCES:"access was denied",EPERM:"the file belongs to another user",EROFS:"the file system is read-only",ENOSPC:"the disk is full",EDQUOT:"the disk quota is used up",ENOTDIR:"a part of the path is not a folder",EEXIST:"a part of the path is not a folder"};function B(e){let{code:n,errcode:t,message:o}=e;if(typeof t=="number")return C.find(a=>a.code===(t&255));if(n==="ERR_SQLITE_ERROR")return C.find(({words:a})=>a===o)}function x(e){let n=B(e)?.code;return n===q||n===G}function D(e,n){if(!(e instanceof Error)||e instanceof u)return e;let{code:t=""}=e,o=B(e)?.cause??V[t];return o===void 0?e:new u("STORE_UNAVAILABLE",{cause:`${n}: ${o}`,path:n},{cause:e})}var j=1668577380;function y(e,n){return Number(Object.values(e.prepare(`PRAGMA ${n}`).get()??{})[0])}function h(e,n,t){if(!(y(e,"schema_version")===0)&&y(e,"application_id")!==j)throw new u("STORE_UNAVAILABLE",{cause:`${n}: it is the database of another program`,path:n});let a=y(e,"user_version");if(a>t)throw new u("STORE_TOO_NEW",{found:a,known:t});return a}function M(e,n,t){let o=h(e,n,t.length);if(o!==t.length){for(let a of t.slice(o))e.exec(a);e.exec(`PRAGMA user_version = ${t.length}; PRAGMA application_id = ${j}`)}}var f=[`
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
  `,`
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
  `,`
  CREATE TABLE approvals (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    tool TEXT NOT NULL, sha256 TEXT NOT NULL, capabilities TEXT NOT NULL, approved_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, project, session, tool)
  ) STRICT, WITHOUT ROWID;
  `,`
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
  `,`
  ALTER TABLE sessions ADD COLUMN client_session TEXT;
  CREATE INDEX sessions_of_client ON sessions (tenant, project, client_session) WHERE client_session IS NOT NULL;
  CREATE TABLE private_contexts (
    tenant TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    seq INTEGER PRIMARY KEY AUTOINCREMENT, instance TEXT, mac BLOB NOT NULL, nonce BLOB NOT NULL, body BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (tenant, session, agent, instance, mac)
  ) STRICT;
  `,`
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
  `];var T=["tenant","project","session","agent"],$=["seq","time","kind","call","intent",...T,"user","client","client_version","door","instance","level","method","server","tool","target_server","target_tool","decision","rule","deadline","duration_ms","arguments","output","output_sha256","output_bytes","tokens","found_c1","found_c2","findings","notes","error","event","details"],A={sessions:{scope:["tenant","project"],columns:[...T,"id","door","client","client_session","started_at","ended_at"],key:["tenant","project","id"]},agent_tokens:{scope:["tenant"],columns:[...T,"id","hash","label","created_at","used_at","revoked_at"],key:["tenant","id"]},refs:{scope:T,columns:[...T,"id","branch","body","created_at","expires_at"],key:[...T,"id"]},usage:{scope:T,columns:[...T,"tokens"],key:T},trust:{scope:["tenant"],columns:[...T,"path","sha256","trusted_at"],key:["tenant","path"]},approvals:{scope:["tenant"],columns:[...T,"tool","sha256","capabilities","approved_at"],key:["tenant","project","session","tool"]},pins:{scope:["tenant"],columns:[...T,"server","tool","sha256","definition","pinned_at"],key:["tenant","project","server","tool"]},sign_ins:{scope:["tenant"],columns:[...T,"server","nonce","body","changed_at"],key:["tenant","server"]},vault:{scope:["tenant"],columns:[...T,"call","created_at","nonce","body"],key:["tenant","call"]},secrets:{scope:["tenant"],columns:[...T,"seq","id","mac","kind","rule","nonce","body","created_at","seen_at","expires_at"],key:["seq"]},secret_tokens:{scope:["tenant"],columns:[...T,"n","secret","created_at"],key:["tenant","session","n"]},private_contexts:{scope:["tenant"],columns:[...T,"seq","instance","mac","nonce","body","created_at"],key:["seq"]},memories:{scope:["tenant"],columns:[...T,"seq","id","scope","branch","title","description","content","outcome","task","tags","sources","helped","misled","created_at","changed_at","used_at","merged_into","vector_model","vector_dimension"],key:["seq"]},memory_feedback:{scope:["tenant"],columns:[...T,"seq","memory","helpful","outcome","comment","created_at"],key:["seq"]},vectors:{scope:["tenant"],columns:[...T,"kind","row","model","vector","changed"],key:["kind","row"]},vector_sets:{scope:["tenant"],columns:[...T,"kind","id","changed","removed"],key:["tenant","kind"]},checkpoints:{scope:["tenant","project"],columns:[...T,"seq","id","branch","name","summary","context","state","state_bytes","tokens","files","branches","refs","automatic","created_at","offered_at"],key:["seq"]},branches:{scope:["tenant","project"],columns:[...T,"seq","id","parent","depth","opener","worker","description","prompt","budget","used","produced","state","message","created_at","ends_at","ended_at"],key:["seq"]},indexed_files:{scope:["tenant","project"],columns:[...T,"seq","path","sha256","size","changed_ms","language","indexed_at"],key:["seq"]},chunks:{scope:["tenant","project"],columns:[...T,"seq","file","name","first_line","last_line"],key:["seq"]},audit:{scope:["tenant"],columns:[...$,"hash"],key:["seq"],sealed:!0},audit_entries:{scope:["tenant"],columns:[...$,"hash"],key:["seq"],sealed:!0}};function Y({prepare:e,fresh:n},t,o){let{scope:a,columns:p,key:O}=A[t],m=new Set(p),U={};for(let s of T){let r=o[s];if(r!==void 0)U[s]=r;else if(a.includes(s))throw new Error(`${t} rows cannot be reached without a ${s}`)}let i=s=>{if(!m.has(s))throw new Error(`${t} has no column ${s}`);return s},N=()=>{if("sealed"in A[t])throw new Error(`${t} rows cannot be changed`)},X=s=>{let r=[],c=[];for(let[E,L]of Object.entries({...s,...U})){let l=i(E);if(L===null)r.push(`${l} IS NULL`);else if(typeof L=="object"&&!(L instanceof Uint8Array))for(let[R,d]of[[">=",L.atLeast],["<=",L.atMost]])d!==void 0&&(r.push(`${l} ${R} ?`),c.push(d));else r.push(`${l} = ?`),c.push(L)}return{sql:r.join(" AND "),values:c}},g=(s,{orderBy:r,descending:c=!1,limit:E})=>{let{sql:L,values:l}=X(s),R=r===void 0?"":` ORDER BY ${i(r)}${c?" DESC":""}`;return{sql:`SELECT * FROM ${t} WHERE ${L}${R}${E===void 0?"":" LIMIT ?"}`,values:E===void 0?l:[...l,E]}},k=s=>{N();let r={project:"",session:"",agent:"",...s,...U},c=Object.keys(r).map(i);return{sql:`INSERT INTO ${t} (${c.join(", ")}) VALUES (${c.map(()=>"?").join(", ")})`,values:Object.values(r)}};return{insert(s){let{sql:r,values:c}=k(s);e(r).run(...c)},put(s){let{sql:r,values:c}=k(s),L=p.filter(d=>!O.includes(d)).map(d=>`${d} = excluded.${d}`).join(", "),l=X({}),R=`${r} ON CONFLICT (${O.join(", ")}) DO UPDATE SET ${L} WHERE ${l.sql}`;if(Number(e(R).run(...c,...l.values).changes)===0)throw new Error(`${t} already has that row, of another owner`)},all(s={},r={}){let{sql:c,values:E}=g(s,r);return e(c).all(...E)},iterate(s={},r={}){let{sql:c,values:E}=g(s,r);return n(c).iterate(...E)},first(s={},r={}){let{sql:c,values:E}=g(s,{...r,limit:1});return e(c).get(...E)},update(s,r={}){N();let c=Object.keys(s).map(i),E=c.find(d=>T.includes(d));if(E!==void 0)throw new Error(`${t} rows cannot change their ${E}`);let{sql:L,values:l}=X(r),R=e(`UPDATE ${t} SET ${c.map(d=>`${d} = ?`).join(", ")} WHERE ${L}`).run(...Object.values(s),...l);return Number(R.changes)},remove(s={}){N();let{sql:r,values:c}=X(s);return Number(e(`DELETE FROM ${t} WHERE ${r}`).run(...c).changes)}}}import{existsSync as K}from"node:fs";import{createRequire as H}from"node:module";import{join as P}from"node:path";var W=H(import.meta.url);function F(e=process.versions.node){let[n=0,t=0]=e.split(".").map(Number);return n>24||n===24&&t>=15}var I="@photostructure/sqlite";function Q(e){return P(e,"packages")}function z(){try{return W.resolve(I),!0}catch{return!1}}function J(e){return P(e,"node_modules",...I.split("/"))}function _(e=v().state){if(F())return process.getBuiltinModule("node:sqlite");let n=J(Q(e)),t=z()?I:K(n)?n:void 0,o=`this Node (${process.versions.node}) has no SQLite of its own`;if(t===void 0)throw new u("STORE_UNAVAILABLE",{cause:`${o} and the package ${I} is missing`,hint:"Run `npm install @photostructure/sqlite@1.2.1` in the folder of contextd, or use Node 24.15 or newer. Where contextd is a plugin of Claude Code, start that once: it installs the package."});try{return W(t)}catch(a){throw new u("STORE_UNAVAILABLE",{cause:`${o} and the package ${I} does not run on this machine`,hint:"Use Node 24.15 or newer."},{cause:a})}}var w=5e3;function ke(e,{durability:n="normal"}={}){let t=i=>{try{return i()}catch(N){throw D(N,e)}},o=t(()=>(ae(e)||ie(e),Te(e,n))),a=i=>t(()=>re(o.prepare(i),t)),p=new Map,O=i=>{let N=p.get(i);return N===void 0&&(N=a(i),p.set(i,N)),N},m=!1,U=i=>S("BEGIN IMMEDIATE",N=>O(N).run(),()=>{m=!0;try{return i()}finally{m=!1}});return{path:e,rows:(i,N)=>Y({prepare:O,fresh:a},i,N),foreignWrites:()=>O("PRAGMA data_version").get()?.data_version,prepare:O,iterate:(i,...N)=>a(i).iterate(...N),transaction:U,atomically:i=>m?i():U(i),snapshot:i=>S("BEGIN",N=>O(N).run(),i),close:()=>o.close()}}function Te(e,n){let{DatabaseSync:t}=_(),o=new t(e,{timeout:w});try{return b(()=>o.exec("PRAGMA journal_mode = wal")),o.exec(`PRAGMA synchronous = ${n}; PRAGMA foreign_keys = on; PRAGMA trusted_schema = off; PRAGMA wal_autocheckpoint = 4000`),b(()=>h(o,e,f.length))<f.length&&b(()=>S("BEGIN IMMEDIATE",a=>o.exec(a),()=>M(o,e,f))),o}catch(a){throw o.close(),a}}function S(e,n,t){n(e);try{let o=t();return n("COMMIT"),o}catch(o){try{n("ROLLBACK")}catch{}throw o}}function re(e,n){let t=o=>{for(let a of o)if(typeof a=="string"&&a.includes("\0"))throw new Error("text with a NUL cannot be stored");return o};return{run:(...o)=>n(()=>e.run(...t(o))),get:(...o)=>n(()=>e.get(...t(o))),all:(...o)=>n(()=>e.all(...t(o))),*iterate(...o){let a=e.iterate(...t(o));try{yield*a}catch(p){n(()=>{throw p})}}}}function ae(e){te(se(e),{recursive:!0,mode:448});try{return ee(ne(e,"wx",384)),!0}catch(n){if(n.code!=="EEXIST")throw n}for(let n of[e,`${e}-wal`,`${e}-shm`]){let t=oe(n,{throwIfNoEntry:!1});t?.isFile()&&(t.mode&63)!==0&&Z(n,384)}return!1}function ie(e){let{DatabaseSync:n}=_(),t;try{t=new n(e,{readOnly:!0,timeout:w}),h(t,e,f.length)}catch(o){if(o instanceof u)throw o}finally{t?.close()}}function b(e){let n=Date.now()+w;for(;;)try{return e()}catch(t){if(!x(t)||Date.now()>n)throw t;ce(5+Math.random()*20)}}function ce(e){Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,e)}export{f as a,$ as b,_ as c,ke as d};
