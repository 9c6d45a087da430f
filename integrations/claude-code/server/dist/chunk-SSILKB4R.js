import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function d(n,s,r,l){let o=r(n);if(o<=s)return n;let e=`[\u2026 shortened from about ${o} tokens; ${l}]`,t=s-r(`
${e}`),i=0,c=Math.min(n.length,Math.max(0,t)*16+1);for(;c-i>1;){let f=i+c>>1;r(n.slice(0,f))<=t?i=f:c=f}let u=n.slice(0,a(n,i)).trimEnd();return u===""?e:`${u}
${e}`}function a(n,s){let r=n.lastIndexOf("[",s-1),l=r<0?null:/^\[(?:SECRET|PRIVATE)[^\]\s]{0,32}\]/.exec(n.slice(r,r+48)),o=l!==null&&r+l[0].length>s?r:s,e=n.lastIndexOf(`
`,o-1);if(e>o*.75)return e;let t=n.lastIndexOf(" ",o-1);return t>o-40&&t>0?t:(n.charCodeAt(o-1)&64512)===55296?o-1:o}export{d as a};
