import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as g,b as a}from"./chunk-7MZWMWMW.js";import{a as d}from"./chunk-7XUZNNZA.js";var x=/\\{0,2}\[SECRET_\d{1,9}\\{0,2}\]/g;function N(n){return h(n,g)}function O(n){return new Set([...h(n,x)].map(e=>e.replaceAll("\\","")))}function h(n,e){let r=new Set,i=t=>{if(t.includes(a))for(let[s]of t.matchAll(e))r.add(s)},l=t=>{if(typeof t=="string")i(t);else if(Array.isArray(t))t.forEach(l);else if(d(t))for(let s of Object.keys(t))i(s),l(t[s])};return l(n),r}var p=10;function I(n){let e=[...new Set(n)],r=e.length-p;return e.slice(0,p).join(", ")+(r>0?` and ${r} more`:"")}function m(n,e){if(n.includes(e))return e;if(e.includes(`
`))return S(e).find(r=>n.includes(r))}function T(n,e){return m(n,e)!==void 0||n.includes(JSON.stringify(e).slice(1,-1))}function S(n){let e=n.replaceAll(`\r
`,`
`);return[e,...A(e)].flatMap(r=>[r,r.replaceAll(`
`,`\r
`)])}var k=["	","\u2192",":","-",": "," | ","| ","|","  "," "];function A(n){let[e="",...r]=n.split(`
`);return k.flatMap(i=>{let l=[],t;for(let s of r){let o=/^[ \t]{0,8}(\d{1,7})/.exec(s);if(!(o!==null&&(t===void 0||Number(o[1])===t+1))||!s.startsWith(i,o[0].length))return[];t=Number(o[1]),l.push(s.slice(o[0].length+i.length))}return[[e,...l].join(`
`)]})}function j(n){let e=new Map,r,i=t=>(r??=new Set(n.split(/\r?\n/))).has(t),l=(t,s)=>(e.has(t)||e.set(t,m(n,s)),e.get(t));return{restore(t,s,o,f){let c=l(o,f);if(c===void 0||!n.includes(o))return c;let u=w(t,s),b=u.replaceAll(o,()=>c).split(/\r?\n/);return i(u)&&!i(b[0])?o:c},hasLiteral:t=>n.includes(t)}}function w(n,e){let r=n.lastIndexOf(`
`,e)+1,i=n.indexOf(`
`,e);return n.slice(r,i===-1?void 0:i).replace(/\r$/,"")}export{N as a,O as b,I as c,m as d,T as e,j as f};
