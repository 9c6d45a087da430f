import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as g,b as x}from"./chunk-7MZWMWMW.js";import{a as h}from"./chunk-7XUZNNZA.js";var w=/\\{0,2}\[SECRET_\d{1,9}\\{0,2}\]/g;function M(n){return y(n,g)}function j(n){return new Set([...y(n,w)].map(e=>e.replaceAll("\\","")))}function y(n,e){let t=new Set,c=s=>{if(s.includes(x))for(let[i]of s.matchAll(e))t.add(i)},l=s=>{if(typeof s=="string")c(s);else if(Array.isArray(s))s.forEach(l);else if(h(s))for(let i of Object.keys(s))c(i),l(s[i])};return l(n),t}var S=10;function E(n){let e=[...new Set(n)],t=e.length-S;return e.slice(0,S).join(", ")+(t>0?` and ${t} more`:"")}var R=16<<20;function L(n,e){if(n.includes(e))return e;if(e.includes(`
`))return A(e).find(t=>n.includes(t))}function F(n,e){return L(n,e)!==void 0||n.includes(JSON.stringify(e).slice(1,-1))}function A(n){let e=n.replaceAll(`\r
`,`
`);return[e,...N(e)].flatMap(t=>[t,t.replaceAll(`
`,`\r
`)])}var J=["	","\u2192",":","-",": "," | ","| ","|","  "," "];function N(n){let[e="",...t]=n.split(`
`);return J.flatMap(c=>{let l=[],s;for(let i of t){let a=/^[ \t]{0,8}(\d{1,7})/.exec(i);if(!(a!==null&&(s===void 0||Number(a[1])===s+1))||!i.startsWith(c,a[0].length))return[];s=Number(a[1]),l.push(i.slice(a[0].length+c.length))}return[[e,...l].join(`
`)]})}function C(n,e){let t=new Map,c=new Map,l=r=>{let o=c.get(r)??n.includes(r);return c.set(r,o),o},s,i=r=>(s??=new Set(n.split(/\r?\n/))).has(r),a=r=>{let o=e.get(r);return o!==void 0&&!t.has(r)&&t.set(r,L(n,o)),t.get(r)},p=r=>{if(!i(r))return!1;let o=r.replace(g,u=>a(u)??u);return!i(o.split(/\r?\n/,1)[0])},f;return{restore(r,o,u){let d=a(u);if(d===void 0||!l(u))return d;if(f?.text!==r||o<f.start||f.end<o){let{start:b,end:m}=O(r,o),k=r.slice(b,m).replace(/\r$/,"");f={text:r,start:b,end:m,isLiteral:p(k)}}return f.isLiteral?u:d},hasLiteral:l}}function O(n,e){let t=n.indexOf(`
`,e);return{start:n.lastIndexOf(`
`,e)+1,end:t===-1?n.length:t}}export{M as a,j as b,E as c,R as d,L as e,F as f,C as g};
