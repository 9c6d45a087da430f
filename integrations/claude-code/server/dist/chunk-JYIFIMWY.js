import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{d as a,e as p}from"./chunk-W3MWT5I3.js";function d(t,e,{before:n="",keepLines:r=!1}={}){let s=n+t,i=p(s,e.scrub(s),e.mask(s)).findings.filter(({end:o})=>o>n.length).map(({rule:o,start:c,end:g,token:k})=>({rule:o,start:Math.max(0,c-n.length),end:g-n.length,token:k})),l=r?i.map(o=>({...o,token:o.token+f(t,o)})):i;return{text:a(t,l),findings:i}}function f(t,{start:e,end:n}){return`
`.repeat(t.slice(e,n).split(`
`).length-1)}var h=async(t,e)=>{let{text:n,before:r}=t;if(typeof n!="string")throw new Error("the payload has no text");let s=await e.session();return{text:d(n,s,typeof r=="string"?{before:r}:{}).text}};export{d as a,h as b};
