import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function o(r,n){let l=1,i=0;for(let e=r.indexOf(`
`);e!==-1&&e<n;e=r.indexOf(`
`,e+1))l++,i=e+1;return{line:l,column:n-i+1}}function u(r){let n;return l=>{if(n===void 0){n=[0];for(let t=r.indexOf(`
`);t!==-1;t=r.indexOf(`
`,t+1))n.push(t+1)}let i=0,e=n.length;for(;e-i>1;){let t=i+e>>1;(n[t]??0)<=l?i=t:e=t}return{line:i+1,column:l-(n[i]??0)+1}}}export{o as a,u as b};
