import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as M,b as G,c as L,d as b,e as f,f as J,g as B}from"./chunk-6SHETP45.js";import"./chunk-WW2CIAP3.js";import{a as U,b as q,c as D}from"./chunk-PCMHRIO4.js";import{c as w,d as P}from"./chunk-XXR4G2BM.js";import{b as A}from"./chunk-UOUAFQBE.js";import{c as W}from"./chunk-IAVGZJIU.js";import"./chunk-S55RNGFN.js";import{c as d}from"./chunk-64FFM5YN.js";import"./chunk-7XWRUPYE.js";import"./chunk-ELQR6XKH.js";import"./chunk-HDQCIFCY.js";import{b as I}from"./chunk-5X6KPTAO.js";import"./chunk-JU5TC2HD.js";import"./chunk-ZELH4PCM.js";import"./chunk-NSTTUURC.js";import"./chunk-HRTTDR5S.js";import"./chunk-SH2YDKAQ.js";import{d as p}from"./chunk-SEQX6JP7.js";import"./chunk-VZNDUFWH.js";import"./chunk-SPATRD2W.js";import"./chunk-IT6FSCCC.js";import"./chunk-RL3QNL2M.js";import"./chunk-DAOLB3IV.js";import"./chunk-64MHMSI7.js";import"./chunk-JIAG4PFQ.js";import{join as k}from"node:path";import{chmodSync as tt,mkdirSync as H,writeFileSync as ot}from"node:fs";import{dirname as et,join as K}from"node:path";var E="run.sh";function X(r,a){H(et(r),{recursive:!0}),H(r);let l=rt(a);for(let[c,T]of l)ot(K(r,c),T,{flag:"wx"});return tt(K(r,E),493),l.map(([c])=>c)}function rt(r){return[[L,`Says back what it is given. (What the agent reads: one or two sentences, under 100 tokens.)
`],[b,`${JSON.stringify({type:"object",properties:{text:{type:"string",description:"What to say."}},required:["text"],additionalProperties:!1},null,2)}
`],[w,nt(r)],[E,at]]}function nt(r){return`[component]
name = "${r}"
version = "0.1.0"
executable = "${E}"

[capabilities]
# What it cannot work without, and what it may ask a person for while it runs:
# "fs:read:src/**", "fs:write:out/**", "http:fetch:GET@api.example.com", "scrubber:scan", \u2026
required = []
optional = []

[limits]
max_execution_time = "10s"
max_memory = "64MB"
max_output_size = "1MB"
`}var at=`#!/usr/bin/env bash
# The input is JSON on standard input; what is written to standard output is the answer, JSON or text.
# It starts in its own folder. The folders it was granted are below "$CONTEXTD_WORKSPACE".
set -euo pipefail
input=$(cat)
printf '{"you_said": %s}\\n' "$input"
`;function Et(r){let{store:a,tenant:l,stateFolder:c,clock:T,count:z,isTaken:N,trust:V,onEvent:$}=r,i=I(r.project),s=M(a,{tenant:l,project:i},T),v=G(B(c)),S=J({project:i,approvals:s,copies:v,count:z,isTaken:N}),j=async t=>{let o=S.look(t);if(o===void 0)return;if(o.state==="broken")return{...O(t),state:"broken",why:o.problems};let{state:e,package:n}=o,m=[...await it(n),...Q(n)];if(m.length>0)return{...O(t),state:"broken",why:m};let h=e==="approved"?o.approval.capabilities:[];return{name:t,state:e,why:e==="changed"?o.changes:[],...e==="approved"&&{approvedAt:o.approval.approvedAt},..._(n,[...n.manifest.required,...n.manifest.optional.filter(u=>C(h,u))])}},Q=({manifest:t})=>{let o={workspace:i,ownFolders:[c],protect:[]};return[...t.required,...t.optional].flatMap(e=>{let n=W(e,o);return n===void 0?[]:[`${w}: ${n}`]})},_=(t,o)=>{let e=q(t.manifest.limits,r.limits,r.callTimeMs),n=t.manifest.optional.filter(m=>!C(o,m));return{package:t,granted:o,may:[...o.map(A),D(e)],mayAsk:n.map(A)}},F=()=>v.prune(s.hashesInUse()),x=async t=>{let o=P.test(t)?await j(t):void 0;if(o!==void 0)return o;let e=s.find(t);if(e===void 0)throw new p("NOT_FOUND",{what:`such tool in ${f}`});return{...O(t),state:"gone",why:["the package is not there any more"],approvedAt:e.approvedAt}};return{project:i,show:x,async list(){let t=new Set([...S.names(),...s.list().map(({tool:e})=>e)]),o=[];for(let e of[...t].sort())o.push(await j(e)??await x(e));return o},async prepareApproval(t,o){let e=await x(t),{package:n}=e;if(n===void 0)throw new p("TOOL_PACKAGE_INVALID",{name:t,problem:e.why.join(`
`)});let m=o.map(y=>{let g=n.manifest.optional.find(Z=>d(Z)===y);if(g!==void 0)return g;throw new p("USAGE",{problem:`${t} does not list that capability as optional`,hint:`Optional are: ${n.manifest.optional.map(d).join(", ")||"none"}.`})}),h=e.state==="approved"?e.granted:n.manifest.required,u=[...h,...m.filter(y=>!C(h,y))],{sha256:R,files:Y}=n.files;return{report:{...e,..._(n,u)},approve(){$("tool-approved",{tool:t,project:i,sha256:R,capabilities:u.map(d)}),v.keep(n.files);for(let{path:y,bytes:g}of Y)V.trust(k(i,f,t,y),g);s.put({tool:t,sha256:R,capabilities:u}),F()}}},remove(t){let o=s.find(t);o!==void 0&&$("tool-approval-removed",{tool:t,project:i,sha256:o.sha256});let e=s.remove(t);return F(),{wasApproved:e,hasFiles:S.look(t)!==void 0}},create(t){if(!P.test(t))throw new p("USAGE",{problem:'a name is 1 to 32 lower-case letters, digits, "_" and "-", beginning with a letter'});if(N(t))throw new p("USAGE",{problem:"a tool of contextd itself has this name"});try{return X(k(i,f,t),t).map(o=>k(f,t,o))}catch(o){throw o.code!=="EEXIST"?o:new p("USAGE",{problem:`${k(f,t)} is there already`})}}}}async function it({inputSchema:r}){let a=await U(r);return a.ok?[]:[`${b}: ${a.problem}`]}function O(r){return{name:r,granted:[],may:[],mayAsk:[]}}function C(r,a){return r.some(l=>d(l)===d(a))}export{Et as createToolbox};
