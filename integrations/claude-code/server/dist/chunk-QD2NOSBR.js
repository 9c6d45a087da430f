import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function d(n){let e="",i=()=>{let t=e;e="",t!==""&&n(t)};return{add(t){e===""&&process.nextTick(i),e+=t},flush:i,due:()=>e.length}}export{d as a};
