import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as k}from"./chunk-4VD5AMUK.js";import{d as L}from"./chunk-SEQX6JP7.js";import{chmodSync as Z,closeSync as ee,mkdirSync as te,openSync as ne,statSync as oe}from"node:fs";import{dirname as se}from"node:path";var C=5,x=15,q=[{code:3,words:"access permission denied",cause:"access was denied"},{code:C,words:"database is locked",cause:"another process kept it locked for too long"},{code:6,words:"database table is locked",cause:"it is locked by another statement of this process"},{code:8,words:"attempt to write a readonly database",cause:"the file or its folder is read-only"},{code:10,words:"disk I/O error",cause:"reading or writing the file failed"},{code:11,words:"database disk image is malformed",cause:"the file is damaged"},{code:13,words:"database or disk is full",cause:"the disk is full"},{code:14,words:"unable to open database file",cause:"the file cannot be opened"},{code:x,words:"locking protocol",cause:"other processes kept it locked for too long"},{code:26,words:"file is not a database",cause:"the file is damaged, or is not a database"}],Y={EACCES:"access was denied",EPERM:"the file belongs to another user",EROFS:"the file system is read-only",ENOSPC:"the disk is full",EDQUOT:"the disk quota is used up",ENOTDIR:"a part of the path is not a folder",EEXIST:"a part of the path is not a folder"};function B(e){let{code:n,errcode:t,message:o}=e;if(typeof t=="number")return q.find(a=>a.code===(t&255));if(n==="ERR_SQLITE_ERROR")return q.find(({words:a})=>a===o)}function D(e){let n=B(e)?.code;return n===C||n===x}function $(e,n){if(!(e instanceof Error)||e instanceof L)return e;let{code:t=""}=e,o=B(e)?.cause??Y[t];return o===void 0?e:new L("STORE_UNAVAILABLE",{cause:`${n}: ${o}`,path:n},{cause:e})}var G=1668577380;function S(e,n){return Number(Object.values(e.prepare(`PRAGMA ${n}`).get()??{})[0])}function h(e,n,t){if(!(S(e,"schema_version")===0)&&S(e,"application_id")!==G)throw new L("STORE_UNAVAILABLE",{cause:`${n}: it is the database of another program`,path:n});let a=S(e,"user_version");if(a>t)throw new L("STORE_TOO_NEW",{found:a,known:t});return a}function j(e,n,t){let o=h(e,n,t.length);if(o!==t.length){for(let a of t.slice(o))e.exec(a);e.exec(`PRAGMA user_version = ${t.length}; PRAGMA application_id = ${G}`)}}var m=[`
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
  `];var i=["tenant","project","session","agent"],M=["seq","time","kind","call","intent",...i,"user","client","client_version","door","instance","level","method","server","tool","target_server","target_tool","decision","rule","deadline","duration_ms","arguments","output","output_sha256","output_bytes","tokens","found_c1","found_c2","findings","notes","error","event","details"],b={sessions:{scope:["tenant","project"],columns:[...i,"id","door","client","client_session","started_at","ended_at"],key:["tenant","project","id"]},agent_tokens:{scope:["tenant"],columns:[...i,"id","hash","label","created_at","used_at","revoked_at"],key:["tenant","id"]},refs:{scope:i,columns:[...i,"id","body","created_at","expires_at"],key:[...i,"id"]},usage:{scope:i,columns:[...i,"tokens"],key:i},trust:{scope:["tenant"],columns:[...i,"path","sha256","trusted_at"],key:["tenant","path"]},approvals:{scope:["tenant"],columns:[...i,"tool","sha256","capabilities","approved_at"],key:["tenant","project","session","tool"]},pins:{scope:["tenant"],columns:[...i,"server","tool","sha256","definition","pinned_at"],key:["tenant","project","server","tool"]},sign_ins:{scope:["tenant"],columns:[...i,"server","nonce","body","changed_at"],key:["tenant","server"]},vault:{scope:["tenant"],columns:[...i,"call","created_at","nonce","body"],key:["tenant","call"]},secrets:{scope:["tenant"],columns:[...i,"seq","id","mac","kind","rule","nonce","body","created_at","seen_at","expires_at"],key:["seq"]},secret_tokens:{scope:["tenant"],columns:[...i,"n","secret","created_at"],key:["tenant","session","n"]},private_contexts:{scope:["tenant"],columns:[...i,"seq","instance","mac","nonce","body","created_at"],key:["seq"]},audit:{scope:["tenant"],columns:[...M,"hash"],key:["seq"],sealed:!0},audit_entries:{scope:["tenant"],columns:[...M,"hash"],key:["seq"],sealed:!0}};function W({prepare:e,fresh:n},t,o){let{scope:a,columns:f,key:p}=b[t],l=new Set(f),c={};for(let s of i){let r=o[s];if(r!==void 0)c[s]=r;else if(a.includes(s))throw new Error(`${t} rows cannot be reached without a ${s}`)}let g=s=>{if(!l.has(s))throw new Error(`${t} has no column ${s}`);return s},y=()=>{if("sealed"in b[t])throw new Error(`${t} rows cannot be changed`)},U=s=>{let r=[],T=[];for(let[d,u]of Object.entries({...s,...c})){let N=g(d);if(u===null)r.push(`${N} IS NULL`);else if(typeof u=="object"&&!(u instanceof Uint8Array))for(let[O,E]of[[">=",u.atLeast],["<=",u.atMost]])E!==void 0&&(r.push(`${N} ${O} ?`),T.push(E));else r.push(`${N} = ?`),T.push(u)}return{sql:r.join(" AND "),values:T}},I=(s,{orderBy:r,descending:T=!1,limit:d})=>{let{sql:u,values:N}=U(s),O=r===void 0?"":` ORDER BY ${g(r)}${T?" DESC":""}`;return{sql:`SELECT * FROM ${t} WHERE ${u}${O}${d===void 0?"":" LIMIT ?"}`,values:d===void 0?N:[...N,d]}},v=s=>{y();let r={project:"",session:"",agent:"",...s,...c},T=Object.keys(r).map(g);return{sql:`INSERT INTO ${t} (${T.join(", ")}) VALUES (${T.map(()=>"?").join(", ")})`,values:Object.values(r)}};return{insert(s){let{sql:r,values:T}=v(s);e(r).run(...T)},put(s){let{sql:r,values:T}=v(s),u=f.filter(E=>!p.includes(E)).map(E=>`${E} = excluded.${E}`).join(", "),N=U({}),O=`${r} ON CONFLICT (${p.join(", ")}) DO UPDATE SET ${u} WHERE ${N.sql}`;if(Number(e(O).run(...T,...N.values).changes)===0)throw new Error(`${t} already has that row, of another owner`)},all(s={},r={}){let{sql:T,values:d}=I(s,r);return e(T).all(...d)},iterate(s={},r={}){let{sql:T,values:d}=I(s,r);return n(T).iterate(...d)},first(s={},r={}){let{sql:T,values:d}=I(s,{...r,limit:1});return e(T).get(...d)},update(s,r={}){y();let T=Object.keys(s).map(g),d=T.find(E=>i.includes(E));if(d!==void 0)throw new Error(`${t} rows cannot change their ${d}`);let{sql:u,values:N}=U(r),O=e(`UPDATE ${t} SET ${T.map(E=>`${E} = ?`).join(", ")} WHERE ${u}`).run(...Object.values(s),...N);return Number(O.changes)},remove(s={}){y();let{sql:r,values:T}=U(s);return Number(e(`DELETE FROM ${t} WHERE ${r}`).run(...T).changes)}}}import{existsSync as H}from"node:fs";import{createRequire as K}from"node:module";import{join as P}from"node:path";var V=K(import.meta.url);function F(e=process.versions.node){let[n=0,t=0]=e.split(".").map(Number);return n>24||n===24&&t>=15}var R="@photostructure/sqlite";function Q(e){return P(e,"packages")}function J(){try{return V.resolve(R),!0}catch{return!1}}function z(e){return P(e,"node_modules",...R.split("/"))}function w(e=k().state){if(F())return process.getBuiltinModule("node:sqlite");let n=z(Q(e)),t=J()?R:H(n)?n:void 0,o=`this Node (${process.versions.node}) has no SQLite of its own`;if(t===void 0)throw new L("STORE_UNAVAILABLE",{cause:`${o} and the package ${R} is missing`,hint:"Run `npm install @photostructure/sqlite@1.2.1` in the folder of contextd, or use Node 24.15 or newer. Where contextd is a plugin of Claude Code, start that once: it installs the package."});try{return V(t)}catch(a){throw new L("STORE_UNAVAILABLE",{cause:`${o} and the package ${R} does not run on this machine`,hint:"Use Node 24.15 or newer."},{cause:a})}}var _=5e3;function ve(e,{durability:n="normal"}={}){let t=l=>{try{return l()}catch(c){throw $(c,e)}},o=t(()=>(Te(e)||ie(e),re(e,n))),a=l=>t(()=>ae(o.prepare(l),t)),f=new Map,p=l=>{let c=f.get(l);return c===void 0&&(c=a(l),f.set(l,c)),c};return{path:e,rows:(l,c)=>W({prepare:p,fresh:a},l,c),foreignWrites:()=>p("PRAGMA data_version").get()?.data_version,prepare:p,iterate:(l,...c)=>a(l).iterate(...c),transaction:l=>A("BEGIN IMMEDIATE",c=>p(c).run(),l),snapshot:l=>A("BEGIN",c=>p(c).run(),l),close:()=>o.close()}}function re(e,n){let{DatabaseSync:t}=w(),o=new t(e,{timeout:_});try{return X(()=>o.exec("PRAGMA journal_mode = wal")),o.exec(`PRAGMA synchronous = ${n}; PRAGMA foreign_keys = on; PRAGMA trusted_schema = off; PRAGMA wal_autocheckpoint = 4000`),X(()=>h(o,e,m.length))<m.length&&X(()=>A("BEGIN IMMEDIATE",a=>o.exec(a),()=>j(o,e,m))),o}catch(a){throw o.close(),a}}function A(e,n,t){n(e);try{let o=t();return n("COMMIT"),o}catch(o){try{n("ROLLBACK")}catch{}throw o}}function ae(e,n){let t=o=>{for(let a of o)if(typeof a=="string"&&a.includes("\0"))throw new Error("text with a NUL cannot be stored");return o};return{run:(...o)=>n(()=>e.run(...t(o))),get:(...o)=>n(()=>e.get(...t(o))),all:(...o)=>n(()=>e.all(...t(o))),*iterate(...o){let a=e.iterate(...t(o));try{yield*a}catch(f){n(()=>{throw f})}}}}function Te(e){te(se(e),{recursive:!0,mode:448});try{return ee(ne(e,"wx",384)),!0}catch(n){if(n.code!=="EEXIST")throw n}for(let n of[e,`${e}-wal`,`${e}-shm`]){let t=oe(n,{throwIfNoEntry:!1});t?.isFile()&&(t.mode&63)!==0&&Z(n,384)}return!1}function ie(e){let{DatabaseSync:n}=w(),t;try{t=new n(e,{readOnly:!0,timeout:_}),h(t,e,m.length)}catch(o){if(o instanceof L)throw o}finally{t?.close()}}function X(e){let n=Date.now()+_;for(;;)try{return e()}catch(t){if(!D(t)||Date.now()>n)throw t;ce(5+Math.random()*20)}}function ce(e){Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,e)}export{m as a,M as b,w as c,ve as d};
