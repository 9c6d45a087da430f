import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var n="mcp__contextd__",s="mcp__plugin_contextd_contextd__",e="contextd_";function _(t){return t.startsWith(e)||[n,s].some(o=>t.startsWith(o)&&i(t.slice(o.length)))}var i=t=>t!==""&&!t.includes("__"),c=t=>`${t}(?:(?!__).)+`;export{n as a,s as b,_ as c,c as d};
