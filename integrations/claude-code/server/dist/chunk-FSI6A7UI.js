import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as f,b as u}from"./chunk-7MZWMWMW.js";import{a as l}from"./chunk-7XUZNNZA.js";var g=/\\{0,2}\[SECRET_\d{1,9}\\{0,2}\]/g;function b(t){return a(t,f)}function y(t){return new Set([...a(t,g)].map(n=>n.replaceAll("\\","")))}function a(t,n){let r=new Set,s=e=>{if(e.includes(u))for(let[i]of e.matchAll(n))r.add(i)},o=e=>{if(typeof e=="string")s(e);else if(Array.isArray(e))e.forEach(o);else if(l(e))for(let i of Object.keys(e))s(i),o(e[i])};return o(t),r}var d=10;function J(t){let n=[...new Set(t)],r=n.length-d;return n.slice(0,d).join(", ")+(r>0?` and ${r} more`:"")}var N=16<<20;function A(t,n){if(t.includes(n))return n;let r=n.includes(`
`)?p(n).find(o=>t.includes(o)):void 0;if(r!==void 0)return r;let s=JSON.stringify(n).slice(1,-1);return t.includes(s)?s:void 0}function p(t){let n=t.replaceAll(`\r
`,`
`);return[n,...h(n)].flatMap(r=>[r,r.replaceAll(`
`,`\r
`)])}var m=["	","\u2192",":","-",": "," | ","| ","|","  "," "];function h(t){let[n="",...r]=t.split(`
`);return m.flatMap(s=>{let o=[],e;for(let i of r){let c=/^[ \t]{0,8}(\d{1,7})/.exec(i);if(!(c!==null&&(e===void 0||Number(c[1])===e+1))||!i.startsWith(s,c[0].length))return[];e=Number(c[1]),o.push(i.slice(c[0].length+s.length))}return[[n,...o].join(`
`)]})}export{b as a,y as b,J as c,N as d,A as e};
