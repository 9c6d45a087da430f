import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
async function s(t,o){let e,n=new Promise(r=>e=setTimeout(r,o,!1)),i=t.then(()=>!0,()=>!0);try{return await Promise.race([i,n])}finally{clearTimeout(e)}}export{s as a};
