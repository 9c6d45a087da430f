import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function u(e){return n(new Map,e)}function r(e){return n(new WeakMap,e)}function n(e,s){return t=>(e.has(t)||e.set(t,s(t)),e.get(t))}export{u as a,r as b};
