import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{c as a}from"./chunk-E6SNZ3HA.js";import{b as o,c as p}from"./chunk-WMGKATOB.js";import{r as d,u,v as m,w as c}from"./chunk-TDOBZPMB.js";import{a as l}from"./chunk-YMCZBGKF.js";import{d as f}from"./chunk-OB4XZPOP.js";import{existsSync as w}from"node:fs";function O(e,r,t){if(e!==void 0)return y(e,r,t);if(r.json){let i=o.map(s=>({...s,docs:p(s.id)}));return u({rules:i},t)}let n=o.map(i=>[i.id,i.client,i.severity,i.title]);m(["RULE","CLIENT","SEVERITY","WHAT IT FINDS"],n,t)}function h(e){let r=o.find(n=>n.id===e);if(r!==void 0)return r;let t=l(e,o.map(n=>n.id));throw new f("NOT_FOUND",{what:`rule ${e}`,hint:t===void 0?"`ctxd permissions rules` lists them.":`Did you mean ${t}?`})}function y(e,{json:r},t){let n=h(e);if(r)return u({...n,docs:p(e)},t);t.stdout.write(`${c(t,"bold",n.title)}
`),d(`${n.id}, ${n.severity}, ${n.client}`,t),t.stdout.write(`
`);for(let s of n.why.trim().split(`
`))d(s,t);let i=a(p(e));w(i)&&(t.stdout.write(`
`),d(`Examples: ${i}`,t))}export{O as a,h as b};
